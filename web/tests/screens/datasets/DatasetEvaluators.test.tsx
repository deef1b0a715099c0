import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import DatasetEvaluators from '~/screens/datasets/DatasetEvaluators';

import { draw } from '../../render';
import { serve } from '../../server';
import { dataset, kinds, me, page, problem } from './samples';
import { WithinDataset } from './withinDataset';

vi.setConfig({ testTimeout: 20_000 });

const saved = { evaluator_id: 'e1', name: 'Fast', weight: 1, spec: { kind: 'latency', max: 5 }, version: 1 };
const own = { evaluator_id: null, name: 'has 30', weight: 2, spec: { kind: 'contains', text: '30' }, version: null };
const PUT = 'PUT /api/eval/datasets/d1/evaluators';

function open(answers: Parameters<typeof serve>[0] = {}, bindings = [saved, own]) {
  const seen = serve({ 'GET /api/auth/me': { body: me }, 'GET /api/eval/evaluator-kinds': { body: kinds }, [PUT]: { body: [] }, ...answers });
  draw(
    <WithinDataset value={{ ...dataset, bindings }}>
      <DatasetEvaluators />
    </WithinDataset>,
  );
  return { body: async () => (await vi.waitFor(() => seen.find(({ method }) => method === 'PUT') ?? Promise.reject(new Error('nothing sent')))).clone().json() as Promise<unknown>, seen };
}

async function enabled(name: string) {
  const found = await screen.findByLabelText(name);
  await vi.waitFor(() => expect(found).toBeEnabled());
  return found;
}

test('a weight counts once its field is left, and is sent once', async () => {
  const { body, seen } = open();
  const weight = await enabled('Weight of Fast');
  await userEvent.clear(weight);
  await userEvent.type(weight, '0{Enter}');
  expect(await body()).toEqual([
    { evaluator_id: 'e1', weight: 0 },
    { name: 'has 30', weight: 2, spec: own.spec },
  ]);
  expect(seen.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  expect(seen.find(({ method }) => method === 'PUT')?.headers.get('if-match')).toBe('"e"');
});

test('the order can be changed', async () => {
  const { body } = open();
  await userEvent.click(await enabled('Move has 30 up'));
  expect(await body()).toEqual([
    { name: 'has 30', weight: 2, spec: own.spec },
    { evaluator_id: 'e1', weight: 1 },
  ]);
});

test('only what is not bound already is offered', async () => {
  const evaluator = (id: string, name: string) => ({ id, name, description: '', spec: { kind: 'latency', max: 5 }, datasets: 0, created_at: '', updated_at: '' });
  const { body } = open({ 'GET /api/eval/evaluators': { body: page([evaluator('e1', 'Fast'), evaluator('e2', 'Cheap')]) } });
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Bind a saved evaluator' })).not.toHaveAttribute('aria-disabled'));
  await userEvent.click(screen.getByRole('button', { name: 'Bind a saved evaluator' }));
  const dialog = await screen.findByRole('dialog', { name: 'Bind a saved evaluator' });
  await userEvent.click(await within(dialog).findByRole('button', { name: /^Cheap/ }));
  expect(within(dialog).queryByRole('button', { name: /^Fast/ })).toBeNull();
  expect(await body()).toEqual([{ evaluator_id: 'e1', weight: 1 }, { name: 'has 30', weight: 2, spec: own.spec }, { evaluator_id: 'e2', weight: 1 }]);
});

test('what the server finds wrong stands at the field', async () => {
  open({ [PUT]: problem(422, '/0/spec/text: too odd', [{ pointer: '/0/spec/text', detail: 'too odd' }]) }, []);
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Write one for this dataset' })).not.toHaveAttribute('aria-disabled'));
  await userEvent.click(screen.getByRole('button', { name: 'Write one for this dataset' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add an evaluator' });
  await userEvent.click(await within(dialog).findByRole('button', { name: /^Contains/ }));
  await userEvent.type(within(dialog).getByLabelText(/^Text/), 'x');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }));
  await vi.waitFor(() => expect(within(dialog).getByLabelText(/^Text/)).toHaveAccessibleDescription(/too odd/));
});
