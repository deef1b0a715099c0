import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter } from 'react-router';
import { expect, test } from 'vitest';

import CaseResult from '~/screens/runs/result/CaseResult';

import { drawRoutes } from '../../../render';
import { serve } from '../../../server';
import { aResult, aRun, ME, page } from '../samples';

const USAGE = { calls: 1, input_tokens: 1, output_tokens: 2, cost: null, unpriced: 1 };
const asked = { id: 'c1', key: 'refund-1', name: 'Refund', input: 'How long?', expected_output: '14 days', expected_behavior: null, assertions: [], attachments: [], evaluators: [], criteria: {}, tags: [], enabled: true, status: 'ready', source: { kind: 'manual', execution_id: null } };
const verdict = (passed: boolean) => ({ value: Number(passed), passed, reasoning: passed ? 'it fits' : 'it is late', details: { overall: passed, assertions: [{ number: 1, text: 'Names the days.', holds: passed, reason: passed ? 'it does' : 'it does not' }] } });
const judge = { evaluator: 'judge', kind: 'behavior_judge', weight: 1, value: 0.67, verdict: 'pass', explanation: '2 of 3 judge samples pass', threshold: null, details: null, samples: [verdict(true), verdict(false), verdict(true)], disagreed: true, failure: null, usage: USAGE, seconds: 1 };
const result = { case_id: 'c1', case_key: 'refund-1', trial: 0, verdict: 'pass', score: 0.67, scores: [judge], not_applicable: ['exact_match'], failure: null, carried_over: false, outcome: { output: '30 days', failure: null, usage: USAGE, latency: 1.5, trace: null } };

const NS = 1e9;
const trace = {
  trace_id: 'ab', shows_tools: true, left_out: 0,
  spans: [
    { span_id: 'case', parent_id: null, name: 'case refund-1', start_ns: 0, end_ns: 3 * NS, error: null, attributes: { 'gen_ai.operation.name': 'aloi.case', 'aloi.result.case': 'refund-1', 'aloi.result.verdict': 'pass' } },
    { span_id: 'execution', parent_id: 'case', name: 'execution', start_ns: 0, end_ns: 2 * NS, error: null, attributes: { 'gen_ai.operation.name': 'aloi.execution', 'aloi.result.input': 'How long?', 'aloi.result.output': '30 days' } },
    { span_id: 'judge', parent_id: 'case', name: 'evaluator judge', start_ns: 2 * NS, end_ns: 3 * NS, error: null, attributes: { 'gen_ai.operation.name': 'aloi.evaluator', 'aloi.result.evaluator': 'judge', 'aloi.result.verdict': 'pass', 'aloi.result.explanation': '2 of 3' } },
  ],
};

function open(changes: { asked?: object; result?: object; trials?: number } = {}, address = '/runs/run-1/results/c1?verdict=pass&at=1') {
  const run = aRun();
  run.spec.limits.trials = changes.trials ?? 1;
  const results = [aResult({ case_id: 'c0' }), aResult(), aResult({ case_id: 'c2' })];
  serve({
    ...ME,
    'GET /api/eval/runs/run-1': { body: run },
    'GET /api/eval/runs/run-1/results/c1': { body: { case: { ...asked, ...changes.asked }, result: { ...result, ...changes.result }, trace } },
    'GET /api/eval/runs/run-1/results': ({ url }) => ({ body: page(results.slice(Number(new URL(url).searchParams.get('page')) - 1).slice(0, 1)) }),
  });
  return drawRoutes(createMemoryRouter([{ path: '/runs/:id/results/:caseId', element: <CaseResult /> }], { initialEntries: [address] }));
}

test('expected and actual stand side by side, differences marked', async () => {
  const { container } = open();
  await screen.findByRole('heading', { name: 'Refund' });
  expect([...container.querySelectorAll('del')].map((part) => part.textContent)).toEqual(['14']);
  expect([...container.querySelectorAll('ins')].map((part) => part.textContent)).toEqual(['30']);
});

test('an evaluator says its value and weight, its assertions one by one, and its verdicts on demand', async () => {
  open();
  const card = await screen.findByRole('region', { name: 'judge' });
  expect(card).toHaveTextContent('behavior_judge · value 0.67 · weight 1 · 2 of 3 verdicts');
  expect(card).toHaveTextContent('judge disagreed');
  expect(within(card).getByRole('list', { name: 'Assertions' })).toHaveTextContent('holdsNames the days. 2 of 3 verdictsit does');
  await userEvent.click(within(card).getByRole('button', { name: 'Show verdicts' }));
  expect(within(card).getByText('it is late')).toBeInTheDocument();
  expect(screen.getByText(/exact_match/)).toBeInTheDocument();
});

test('the neighbours under the filter are one click away', async () => {
  open();
  expect(await screen.findByRole('link', { name: 'Previous' })).toHaveAttribute('href', '/runs/run-1/results/c0?verdict=pass&at=0');
  expect(await screen.findByRole('link', { name: 'Next' })).toHaveAttribute('href', '/runs/run-1/results/c2?verdict=pass&at=2');
});

test('trials are switched', async () => {
  const { router } = open({ trials: 3 });
  await userEvent.click(await screen.findByRole('radio', { name: '3' }));
  expect(router.state.location.search).toBe('?trial=2');
});

test('without an answer the failure is told, and what was expected stays', async () => {
  const failure = { stage: 'invoke', type: 'timeout', message: 'no answer within 300 s' };
  open({ asked: { expected_output: null, expected_behavior: 'Answers.' }, result: { verdict: 'error', scores: [], failure, outcome: { ...result.outcome, output: null, failure } } });
  expect(await screen.findByRole('alert')).toHaveTextContent('Error while asking the target: timeout');
  expect(screen.getByRole('alert')).toHaveTextContent('no answer within 300 s');
  expect(screen.getByRole('region', { name: 'Expected' })).toHaveTextContent('Answers.');
  expect(screen.getByRole('region', { name: 'Actual' })).toHaveTextContent('There is no answer.');
});

test('the trace begins at the case and holds the execution and what graded it', async () => {
  open();
  const spans = await screen.findByRole('list', { name: 'Spans of the trace' });
  const levels = within(spans).getAllByRole('listitem').map((row) => [row.getAttribute('aria-level'), within(row).getByRole('button', { expanded: false }).textContent]);
  expect(levels).toEqual([['1', 'refund-1casepass'], ['2', 'Execution'], ['2', 'judgeevaluatorpass']]);
});
