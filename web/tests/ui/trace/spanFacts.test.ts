import { expect, test } from 'vitest';

import { spanFacts } from '~/ui/trace/spanFacts';
import type { Span } from '~/ui/trace/tree';

const facts = (attributes: Span['attributes'], name = 'span') => spanFacts({ span_id: '1', parent_id: null, name, start_ns: 0, end_ns: 1, error: null, attributes });

test('a model turn tells its model, messages, tokens and cost', () => {
  const turn = facts({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'gpt',
    'gen_ai.usage.input_tokens': 3,
    'gen_ai.usage.output_tokens': 4,
    'aloi.cost': 0.5,
    'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }],
    'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'tool_call', name: 'sum', arguments: '{"a": 1}' }] }],
  });
  expect(turn).toMatchObject({ operation: 'model', title: 'gpt', inputTokens: 3, outputTokens: 4, cost: 0.5, rest: {} });
  expect(turn.input).toEqual([{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }]);
  expect(turn.output).toEqual([{ role: 'assistant', parts: [{ type: 'call', name: 'sum', content: { a: 1 } }] }]);
});

test('a file is told by its name; one of another tracer as it came', () => {
  const file = { type: 'file', name: 'bill.pdf', mime_type: 'application/pdf' };
  const strange = { type: 'file', file_id: '7' };
  const [message] = facts({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': [{ role: 'user', parts: [file, strange] }] }).input;
  expect(message?.parts).toEqual([
    { type: 'file', content: 'bill.pdf, application/pdf' },
    { type: 'text', content: strange },
  ]);
});

test('messages may be JSON in a text, as other tracers send them', () => {
  expect(facts({ 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': '[{"role": "user", "content": "Hi"}]' }).input).toEqual([{ role: 'user', parts: [{ type: 'text', content: 'Hi' }] }]);
});

test.each([
  ['static', 'static'],
  ['generated', 'generated'],
  [undefined, 'real'],
])('a tool call of provenance %s', (given, expected) => {
  const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.arguments': '{"q": 1}', 'gen_ai.tool.call.result': 2, ...(given ? { 'aloi.provenance': given } : {}) };
  expect(facts(attributes, 'execute_tool search')).toMatchObject({ operation: 'tool', title: 'search', call: { args: { q: 1 }, result: 2 }, provenance: expected });
});

test('what is not known to us is kept as it came', () => {
  expect(facts({ 'http.method': 'GET' }, 'GET example.org')).toMatchObject({ operation: 'other', title: 'GET example.org', rest: { 'http.method': 'GET' }, inputTokens: null });
});

test.each([['no json'], [7], [null], [[1, 'x', null]], [{ a: 1 }]])('messages that are none are no fault: %j', (value) => {
  expect(facts({ 'gen_ai.input.messages': value as never }).input).toEqual([]);
});
