import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import DatasetSimulations from '~/screens/datasets/DatasetSimulations';
import type { Component, Simulations } from '~/screens/simulations/simulations';

import { draw } from '../../render';
import { serve } from '../../server';
import { APPROVE, REFUND, SUM } from '../simulations/samples';
import { dataset, me, page, problem } from './samples';
import { WithinDataset } from './withinDataset';

vi.setConfig({ testTimeout: 20_000 });

const PUT = 'PUT /api/eval/datasets/d1';
const ADDS: Simulations = { sum: { kind: 'generated', description: 'Adds.' } };

interface Given {
  tools?: Component[];
  simulations?: Simulations;
  target?: string | null;
  address?: string;
  answers?: Parameters<typeof serve>[0];
}

function open({ tools = [APPROVE, REFUND, SUM], simulations = {}, target = 't1', address = '/', answers = {} }: Given = {}) {
  const seen = serve({
    'GET /api/auth/me': { body: me },
    'GET /api/targets/t1/components': { body: { tools, skipped: [] } },
    'GET /api/targets': { body: page([]) },
    'GET /api/models': { body: { model: null, judge: null, providers: [] } },
    [PUT]: { body: dataset },
    ...answers,
  });
  const value = { ...dataset, target_id: target, simulations: simulations as typeof dataset.simulations };
  const drawn = draw(
    <WithinDataset value={value}>
      <DatasetSimulations />
    </WithinDataset>,
    address,
  );
  const put = () => vi.waitFor(() => seen.find(({ method }) => method === 'PUT') ?? Promise.reject(new Error('nothing sent')));
  return { ...drawn, put, body: async () => (await put()).clone().json() as Promise<unknown> };
}

const row = async (name: string) => (await screen.findByText(name, { selector: 'span' })).closest('li') as HTMLElement;

async function simulate(name: string) {
  const button = await screen.findByRole('button', { name: `Simulate ${name}` });
  await vi.waitFor(() => expect(button).not.toHaveAttribute('aria-disabled'));
  await userEvent.click(button);
  return screen.findByRole('dialog', { name: `Simulation of ${name}` });
}

test('each part says whether something stands in for it, or must', async () => {
  open({ simulations: { ...ADDS, gone: { kind: 'static', answers: [{ output: 1, when: [{ path: '$.a', exists: false }] }] } } });
  expect(await row('approve')).toHaveTextContent(/a person’s step.*must be simulated/);
  expect(await row('refund')).toHaveTextContent(/side effect.*not simulated.*Pays back/);
  expect(await row('sum')).toHaveTextContent(/tool.*simulated, generated.*Adds\./);
  expect(await row('gone')).toHaveTextContent(/not of this target.*if \$\.a is not there:1/);
  expect(screen.getByRole('status')).toHaveTextContent('2 more to simulate before an evaluation can start');
});

test('an answer is given by the fields of the output, for some calls', async () => {
  const { put, body, router } = open({ simulations: ADDS });
  const dialog = await simulate('approve');
  expect(router.state.location.search).toBe('?component=approve');
  await userEvent.click(within(dialog).getByRole('switch', { name: 'Approved' }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add a condition' }));
  await userEvent.type(within(dialog).getByLabelText('Path of condition 1'), 'city');
  await userEvent.type(within(dialog).getByLabelText('Value of condition 1'), 'Paris');
  expect(within(dialog).getByText('Some calls may find no answer')).toBeInTheDocument();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add an answer' }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await body()).toEqual({
    name: 'Refunds',
    simulations: { ...ADDS, approve: { kind: 'static', answers: [{ output: { approved: false, note: 'text' }, when: [{ path: '$.city', equals: 'Paris' }] }, { output: { approved: true, note: 'text' }, when: [] }] } },
  });
  expect((await put()).headers.get('if-match')).toBe('"e"');
  await vi.waitFor(() => expect(router.state.location.search).toBe(''));
});

test('answers can be moved; one that no call reaches is told', async () => {
  const { body } = open({ tools: [SUM], simulations: { sum: { kind: 'static', answers: [{ output: 1, when: [] }, { output: 2, when: [{ path: '$.a', above: 1 }] }] } }, address: '/?component=sum' });
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText('Answer 2 is never given')).toBeInTheDocument();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Move answer 2 up' }));
  expect(within(dialog).queryByText('Answer 2 is never given')).toBeNull();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(await body()).toMatchObject({ simulations: { sum: { answers: [{ output: 2, when: [{ path: '$.a', above: 1 }] }, { output: 1 }] } } });
});

test('nothing is sent while something is missing', async () => {
  open({ answers: { [PUT]: () => Promise.reject(new Error('sent')) as never } });
  const dialog = await simulate('refund');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  expect(within(dialog).getByRole('textbox', { name: 'Output' })).toHaveAccessibleDescription(/Write what it gives/);
  await userEvent.click(within(dialog).getByRole('radio', { name: 'Written by a model' }));
  expect(within(dialog).getByText(/none is set/)).toBeInTheDocument();
  expect(within(dialog).getByRole('textbox', { name: /How it answers, in words/ })).toHaveAccessibleDescription(/Say how it answers/);
});

test('what the server finds wrong stands at the field', async () => {
  const pointer = '/simulations/sum/answers/0/when/0/path';
  open({ tools: [SUM], address: '/?component=sum', simulations: { sum: { kind: 'static', answers: [{ output: 1, when: [{ path: '$.a', equals: 1 }] }] } }, answers: { [PUT]: problem(422, `${pointer}: no path`, [{ pointer, detail: 'no path' }]) } });
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(within(dialog).getByLabelText('Path of condition 1')).toHaveAccessibleDescription(/no path/));
  await userEvent.type(within(dialog).getByLabelText('Path of condition 1'), 'b');
  expect(within(dialog).getByLabelText('Path of condition 1')).toBeValid();
});

test('taking one out asks first', async () => {
  const { body } = open({ simulations: ADDS });
  const button = await screen.findByRole('button', { name: 'Take out the simulation of sum' });
  await vi.waitFor(() => expect(button).not.toHaveAttribute('aria-disabled'));
  await userEvent.click(button);
  await userEvent.click(within(await screen.findByRole('dialog', { name: 'Take out the simulation of sum?' })).getByRole('button', { name: 'Remove' }));
  expect(await body()).toEqual({ name: 'Refunds', simulations: {} });
});

test('a dataset for any target asks which one; the address may name it', async () => {
  open({ target: null, simulations: ADDS });
  expect(await screen.findByRole('combobox', { name: 'Tools and steps of' })).toBeInTheDocument();
  expect(await row('sum')).toHaveTextContent('simulated, generated');
  open({ target: null, address: '/?target=t1' });
  expect(await row('approve')).toHaveTextContent('must be simulated');
});

test('a target without parts says so', async () => {
  open({ tools: [] });
  expect(await screen.findByText('Nothing to simulate')).toBeInTheDocument();
});

test('a viewer may look, and reads why not more', async () => {
  open({ answers: { 'GET /api/auth/me': { body: { ...me, role: 'viewer' } } } });
  const button = await screen.findByRole('button', { name: 'Simulate approve' });
  expect(button).toHaveAttribute('aria-disabled', 'true');
  await userEvent.click(button);
  expect(screen.queryByRole('dialog')).toBeNull();
});
