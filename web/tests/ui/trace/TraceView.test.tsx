import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { TraceView } from '~/ui/trace/TraceView';
import type { Span } from '~/ui/trace/tree';

import { draw } from '../../render';

const MS = 1e6;
const span = (span_id: string, parent_id: string | null, attributes: Span['attributes'], error: string | null = null): Span => ({ span_id, parent_id, name: span_id, start_ns: 0, end_ns: 500 * MS, attributes, error });
const SPANS = [
  span('agent', null, { 'gen_ai.operation.name': 'invoke_agent' }, 'the agent gave up'),
  span('call', 'agent', { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search', 'gen_ai.tool.call.arguments': { q: '<img src=x onerror=alert(1)>' }, 'gen_ai.tool.call.result': 'found', 'aloi.provenance': 'static' }, 'HTTP 500'),
];
const view = (spans = SPANS, shows_tools = true) => draw(<TraceView trace={{ trace_id: 't', shows_tools, left_out: 0, spans }} />);
const spans = () => screen.getByRole('list', { name: 'Spans of the trace' });

test('a span opens to its tool call, as text', async () => {
  view();
  await userEvent.click(within(spans()).getByRole('button', { name: /search/ }));
  expect(screen.getByRole('region', { name: 'Arguments' })).toHaveTextContent('<img src=x onerror=alert(1)>');
  expect(screen.getByRole('region', { name: 'Result' })).toHaveTextContent('found');
  expect(screen.getByText('Result (simulated, fixed)')).toBeInTheDocument();
  expect(document.querySelector('img')).toBeNull();
});

test('the deepest error stands first and leads to its span', async () => {
  view();
  const errors = within(screen.getByRole('list', { name: 'Errors, the deepest first' })).getAllByRole('button');
  expect(errors.map((button) => button.textContent)).toEqual([expect.stringContaining('HTTP 500'), expect.stringContaining('the agent gave up')]);
  await userEvent.click(errors[0] as HTMLElement);
  expect(screen.getByRole('region', { name: 'Error' })).toHaveTextContent('HTTP 500');
});

test('a subtree folds', async () => {
  view();
  await userEvent.click(screen.getByRole('button', { name: 'Steps under agent' }));
  expect(within(spans()).queryByRole('button', { name: /search/ })).toBeNull();
});

test('a target that hides its tools says so; an empty trace too', () => {
  view([], true);
  expect(screen.getByText('The target recorded no steps.')).toBeInTheDocument();
  view(SPANS, false);
  expect(screen.getByText('This target does not show its tool calls.')).toBeInTheDocument();
});

test('a long trace is drawn in pages; an error leads to the page of its span', async () => {
  view(Array.from({ length: 450 }, (_, index) => span(`s${String(index).padStart(3, '0')}`, null, {}, index === 440 ? 'late' : null)));
  // By text and children: looking hundreds of rows through by their roles is slow.
  const list = document.querySelector('ul[aria-label="Spans of the trace"]') as HTMLElement;
  expect(list.children).toHaveLength(100);
  expect(screen.getByText('1–100 of 450')).toBeInTheDocument();
  await userEvent.click(screen.getByText('late'));
  expect(screen.getByText('401–450 of 450')).toBeInTheDocument();
  expect(list).toHaveTextContent('s440');
});

test('it tells how many spans more there were', () => {
  draw(<TraceView trace={{ trace_id: 't', shows_tools: true, left_out: 500, spans: SPANS }} />);
  expect(screen.getByText('500 more spans were received than are kept')).toBeInTheDocument();
});

test('what is nested too deeply is shown as the text that came', async () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  view([span('call', null, { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search', 'gen_ai.tool.call.arguments': deep })]);
  await userEvent.click(within(spans()).getByRole('button', { name: /search/ }));
  expect(screen.getByRole('region', { name: 'Arguments' })).toHaveTextContent('[[[[');
});

test('an evaluator shows its verdict, and opens to its figures and its explanation', async () => {
  const score = { 'gen_ai.operation.name': 'aloi.evaluator', 'aloi.result.evaluator': 'path', 'aloi.result.kind': 'trajectory_judge', 'aloi.result.verdict': 'fail', 'aloi.result.value': 0.25, 'aloi.result.threshold': 0.7, 'aloi.result.explanation': 'it searched twice', 'gen_ai.usage.input_tokens': 1200, 'gen_ai.usage.output_tokens': 34 };
  const sample = { 'gen_ai.operation.name': 'aloi.judge_sample', 'aloi.result.sample': 1, 'aloi.result.samples': 2, 'aloi.result.verdict': 'pass', 'aloi.result.value': 0.9, 'aloi.result.explanation': 'it is fine' };
  view([span('evaluator path', null, score), span('sample 1 of 2', 'evaluator path', sample)]);
  const row = within(spans()).getByRole('button', { name: /path/, expanded: false });
  expect(row).toHaveTextContent('pathevaluatorfail');
  await userEvent.click(row);
  expect(screen.getByText('trajectory_judge · value 0.25 · threshold 0.7')).toBeInTheDocument();
  expect(screen.getByText('it searched twice')).toBeInTheDocument();
  expect(screen.queryByRole('heading', { name: 'More attributes' })).toBeNull();
  await userEvent.click(within(spans()).getByRole('button', { name: /Verdict 1 of 2/ }));
  expect(screen.getByText('it is fine')).toBeInTheDocument();
});
