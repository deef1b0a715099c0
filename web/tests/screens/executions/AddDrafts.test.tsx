import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { ExecutionList } from '~/screens/executions/ExecutionList';

import { draw } from '../../render';
import { serve } from '../../server';

const USAGE = { calls: 1, input_tokens: 3, output_tokens: 4, cost: null, unpriced: 1 };
const ENTRY = { target_id: 't1', target_name: 'Helper', version: 2, source: 'production', run_id: null, case_key: null, created_at: '2026-01-02T03:04:05Z', status: 'ok', output: 'Yes', failure: null, latency: 1.5, usage: USAGE };
const ENTRIES = [
  { ...ENTRY, id: 'e1', input: 'One' },
  { ...ENTRY, id: 'e2', input: 'Two' },
];
const page = (items: unknown[], total = items.length) => ({ body: { items, total, page: 1, size: 20, pages: Math.ceil(total / 20) } });
const HARVESTED = { dataset_id: 'd2', dataset_name: 'Own', added: 1, present: 1, missing: [], unfit: [] };
const DATASETS = { d1: { id: 'd1', name: 'Other', may_change: true }, d2: { id: 'd2', name: 'Own', may_change: true } };

function drawList(harvested: object, role = 'editor', own: object = DATASETS.d2) {
  const requests = serve({
    'GET /api/auth/me': { body: { role } },
    'GET /api/executions': page(ENTRIES),
    'GET /api/eval/datasets': (request) => page(new URL(request.url).searchParams.has('target_id') ? [own] : [DATASETS.d1, own]),
    'GET /api/eval/datasets/d2': { body: DATASETS.d2 },
    'POST /api/executions/to-cases': { body: harvested },
  });
  draw(<ExecutionList targetId="t1" />);
  return requests;
}

async function openDialog() {
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Choose all on this page' }));
  const bar = within(await screen.findByRole('region', { name: 'For the chosen executions' }));
  expect(bar.getByRole('status')).toHaveTextContent('2 chosen');
  await userEvent.click(bar.getByRole('button', { name: 'Add to dataset as drafts' }));
  return within(await screen.findByRole('dialog'));
}

test('what is chosen goes to the first dataset of its target, unless another is chosen', async () => {
  const requests = drawList(HARVESTED);
  const dialog = await openDialog();
  expect(await dialog.findByRole('combobox', { name: /^Dataset/ })).toHaveValue('Own');
  await userEvent.click(dialog.getByRole('button', { name: 'Add as drafts' }));
  await expect.poll(() => requests.some(({ url }) => url.endsWith('/to-cases'))).toBe(true);
  const sent = await requests.find(({ url }) => url.endsWith('/to-cases'))?.json();
  expect(sent).toEqual({ dataset_id: 'd2', execution_ids: ['e1', 'e2'] });
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('region', { name: 'For the chosen executions' })).toBeNull();
});

test('those that cannot become cases are told with the reason', async () => {
  drawList({ ...HARVESTED, unfit: [{ execution_id: 'e2', reason: 'execution e2 is running' }] });
  const dialog = await openDialog();
  await userEvent.click(await dialog.findByRole('button', { name: 'Add as drafts' }));
  expect(await dialog.findByText('execution e2 is running')).toBeInTheDocument();
});

test('a dataset that is not theirs to change cannot be chosen', async () => {
  drawList(HARVESTED, 'editor', { ...DATASETS.d2, may_change: false });
  const dialog = await openDialog();
  const choice = await dialog.findByRole('combobox', { name: /^Dataset/ });
  expect(choice).toHaveValue('Other');
  await userEvent.click(choice);
  expect(await screen.findByRole('option', { name: 'Own — not yours to change' })).toHaveAttribute('data-combobox-disabled', 'true');
});

test('a viewer chooses nothing', async () => {
  drawList(HARVESTED, 'viewer');
  expect(await screen.findByText('One')).toBeInTheDocument();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('a list that is longer than it is counted says so, and goes on behind its last page', async () => {
  const full = Array.from({ length: 20 }, (_, index) => ({ ...ENTRY, id: `e${index}`, input: `Number ${index}` }));
  serve({ 'GET /api/auth/me': { body: { role: 'viewer' } }, 'GET /api/executions': page(full, 10_001) });
  draw(<ExecutionList targetId="t1" />, '/?page=501');
  expect(await screen.findByText('more than 10,000')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Page 502' })).toBeInTheDocument();
});
