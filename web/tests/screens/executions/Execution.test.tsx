import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter } from 'react-router';
import { expect, test } from 'vitest';

import Execution from '~/screens/executions/Execution';

import { drawRoutes } from '../../render';
import { serve } from '../../server';
import { bill, dot } from '../attachments/samples';

const USAGE = { calls: 0, input_tokens: 0, output_tokens: 0, cost: 0, unpriced: 0 };
const span = (name: string, start: number, attributes: object) => ({ span_id: `${name}${start}`, parent_id: null, name: `step ${name}`, start_ns: start, end_ns: start + 5e8, attributes: { 'gen_ai.operation.name': 'workflow_step', 'aloi.step.name': name, ...attributes }, error: null });
const ASKED = { step: 'approve', question: 'May it go out?', answer_schema: null, asked_at: '2026-01-02T03:04:05Z', answer: null, answered_by: null, answered_at: null };
const TRACE = { trace_id: 'x', shows_tools: true, spans: [span('draft', 1e9, { 'aloi.step.kind': 'prompt', 'aloi.step.input': 'Write', 'aloi.step.output': 'Dear customer' }), span('approve', 2e9, { 'aloi.step.kind': 'human', 'aloi.step.waiting': true })] };
const WAITING = { id: 'e1', target_id: 't1', target_name: 'Replies', target_kind: 'workflow', version: 1, source: 'runner', run_id: null, case_key: null, created_at: '2026-01-02T03:04:05Z', status: 'waiting', input: 'Hello', attachments: [], outcome: { output: null, failure: null, usage: USAGE, latency: 1, trace: TRACE }, human_steps: [ASKED] };
const DEFINITION = { kind: 'workflow', steps: [{ name: 'draft', kind: 'prompt' }, { name: 'approve', kind: 'human', question: '{{ steps.draft }}' }, { name: 'sent', kind: 'transform', value: '{{ steps.approve }}' }] };

function drawExecution(execution: object) {
  const requests = serve({
    'GET /api/auth/me': { body: { role: 'editor' } },
    'GET /api/executions/e1': { body: execution },
    'GET /api/eval/datasets': { body: { items: [{ id: 'd1', name: 'Questions', may_change: true }], total: 1, page: 1, size: 20, pages: 1 } },
    'GET /api/eval/datasets/d1': { body: { id: 'd1', name: 'Questions', may_change: true } },
    'POST /api/executions/e1/to-case': { status: 201, body: {} },
    'GET /api/targets/t1/versions/1': { body: { number: 1, definition: DEFINITION } },
    'POST /api/executions/e1/cancel': { body: { ...WAITING, status: 'error', outcome: { ...WAITING.outcome, failure: { stage: 'invoke', type: 'cancelled', message: 'given up' } } } },
  });
  drawRoutes(createMemoryRouter([{ path: 'executions/:id', element: <Execution /> }], { initialEntries: ['/executions/e1'] }));
  return requests;
}

test('a workflow that waits shows its question and where its steps stand', async () => {
  drawExecution(WAITING);
  expect(await screen.findByText('May it go out?')).toBeInTheDocument();
  expect(screen.getByText('waits for a person')).toBeInTheDocument();
  const picture = within(await screen.findByRole('region', { name: 'Picture of the workflow' }));
  expect(picture.getAllByRole('button').map((step) => step.textContent)).toEqual([expect.stringContaining('draftpromptdone'), expect.stringContaining('approvepersonwaits'), expect.stringContaining('senttransformnot yet')]);
  await userEvent.click(picture.getByRole('button', { name: /^draft/ }));
  expect(within(await screen.findByRole('dialog')).getByRole('region', { name: 'Gave' })).toHaveTextContent('Dear customer');
});

test('it can be given up, which is asked first', async () => {
  const requests = drawExecution(WAITING);
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel the execution' }));
  expect(await screen.findByText('error · cancelled')).toBeInTheDocument();
  expect(requests.some(({ method }) => method === 'POST')).toBe(true);
  expect(screen.getByText('not answered yet')).toBeInTheDocument();
});

test('the steps of a workflow stand before its waterfall', async () => {
  drawExecution({ ...WAITING, status: 'ok', human_steps: [{ ...ASKED, answer: 'Yes', answered_by: 'ana', answered_at: '2026-01-02T03:05:05Z' }] });
  expect(await screen.findByText(/Answered by ana/)).toBeInTheDocument();
  const [steps] = screen.getAllByRole('list', { name: 'Steps' }).slice(-1);
  await userEvent.click(within(steps as HTMLElement).getByRole('button', { name: /^draft/ }));
  expect(within(steps as HTMLElement).getByRole('region', { name: 'Given' })).toHaveTextContent('Write');
});

test('its files are shown, and go into the case unless they are taken out', async () => {
  const requests = drawExecution({ ...WAITING, status: 'ok', human_steps: [], attachments: [bill, dot] });
  expect(await screen.findByRole('link', { name: 'bill.pdf' })).toBeInTheDocument();
  const add = screen.getByRole('button', { name: 'Add to dataset' });
  await expect.poll(() => add.getAttribute('aria-disabled')).toBeNull();
  await userEvent.click(add);
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(await dialog.findByRole('button', { name: 'Remove bill.pdf' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save the case' }));
  await expect.poll(() => requests.some(({ method }) => method === 'POST')).toBe(true);
  expect(await requests.find(({ method }) => method === 'POST')?.json()).toMatchObject({ dataset_id: 'd1', attachments: [dot] });
});
