import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import Cases from '~/screens/datasets/cases/Cases';

import { draw } from '../../../render';
import { serve } from '../../../server';
import { APPROVE, SUM } from '../../simulations/samples';
import { dataset, kinds, me, page, stored } from '../samples';
import { WithinDataset } from '../withinDataset';

vi.setConfig({ testTimeout: 20_000 });

const CASES = '/api/eval/datasets/d1/cases';
const fixed = (output: unknown) => ({ kind: 'static' as const, answers: [{ output, when: [] }] });

function open(own: Record<string, ReturnType<typeof fixed>> = {}) {
  const theCase = { ...stored, simulations: own };
  const seen = serve({
    'GET /api/auth/me': { body: me },
    [`GET ${CASES}`]: { body: page([theCase]) },
    [`GET ${CASES}/c1`]: { body: theCase },
    [`PUT ${CASES}/c1`]: { body: theCase },
    'GET /api/eval/evaluator-kinds': { body: kinds },
    'GET /api/targets/t1/components': { body: { tools: [APPROVE, SUM], skipped: [] } },
    'GET /api/targets/t1': { body: { id: 't1', name: 'T', active_version: null } },
  });
  draw(
    <WithinDataset value={{ ...dataset, target_id: 't1', simulations: { approve: fixed({ approved: false }) } }}>
      <Cases />
    </WithinDataset>,
    '/datasets/d1?case=c1',
  );
  return async () => (await vi.waitFor(() => seen.find(({ method }) => method === 'PUT') ?? Promise.reject(new Error('nothing sent')))).clone().json() as Promise<unknown>;
}

const unfold = async () => userEvent.click(await screen.findByRole('button', { name: /Simulations for this case/ }));

async function press(name: string) {
  const button = await screen.findByRole('button', { name });
  await vi.waitFor(() => expect(button).toBeEnabled());
  await userEvent.click(button);
}

test('a case begins with what the dataset has, and sends its own alone', async () => {
  const body = open();
  expect(await screen.findByRole('button', { name: /Simulations for this case/ })).toHaveAttribute('aria-expanded', 'false');
  await unfold();
  await press('Change here: approve');
  const dialog = await screen.findByRole('dialog', { name: 'Simulation of approve' });
  expect(within(dialog).getByRole('switch', { name: 'Approved' })).not.toBeChecked();
  await userEvent.click(within(dialog).getByRole('switch', { name: 'Approved' }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Apply' }));
  expect(await screen.findByText('for this case')).toBeInTheDocument();
  await press('Save');
  expect(await body()).toEqual({ simulations: { approve: fixed({ approved: true }) } });
});

test('without its own, the dataset’s counts again', async () => {
  const body = open({ approve: fixed({ approved: true }) });
  await unfold();
  expect(await screen.findByText('1 of its own')).toBeInTheDocument();
  await press('Take out the simulation of approve');
  expect(await screen.findByText('as in the dataset')).toBeInTheDocument();
  await press('Save');
  expect(await body()).toEqual({ simulations: {} });
});

test('Enter in the dialog takes the simulation, and does not send the case behind it', async () => {
  const complaints = vi.spyOn(console, 'error');
  const body = open();
  await unfold();
  await press('Simulate sum');
  const dialog = await screen.findByRole('dialog', { name: 'Simulation of sum' });
  expect(dialog.closest('form')).toBeNull();
  await userEvent.type(within(dialog).getByRole('textbox'), '7{Enter}');
  await vi.waitFor(() => expect(screen.queryByRole('dialog', { name: 'Simulation of sum' })).toBeNull());
  expect(screen.getByRole('button', { name: 'Edit the simulation of sum' })).toBeInTheDocument();
  expect(complaints.mock.calls.filter(([text]) => String(text).includes('<form>'))).toEqual([]);
  await press('Save');
  expect(await body()).toHaveProperty('simulations.sum');
});
