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

test('a long trace is drawn in part until it is wanted whole', async () => {
  view(Array.from({ length: 250 }, (_, index) => span(`s${index}`, null, {})));
  // By text and children: looking hundreds of rows through by their roles is slow.
  const list = document.querySelector('ul') as HTMLElement;
  expect(list.children).toHaveLength(200);
  await userEvent.click(screen.getByText('Show all 250 spans'));
  expect(list.children).toHaveLength(250);
});
