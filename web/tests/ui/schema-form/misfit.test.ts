import { expect, test } from 'vitest';

import { misfitsOf } from '~/ui/schema-form/misfit';
import type { Json, JsonSchema } from '~/ui/schema-form/schema';

const ANSWER: JsonSchema = {
  type: 'object',
  properties: { topic: { enum: ['refund', 'other'] }, amount: { type: 'integer' }, notes: { type: 'array', items: { $ref: '#/$defs/Note' } }, maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
  required: ['topic'],
  $defs: { Note: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
};
const told = (value: Json, schema = ANSWER) => misfitsOf(schema, value).map(({ path, what }) => `${path} ${what}`.trim());

test('a value that fits has no misfit', () => {
  expect(told({ topic: 'refund', amount: 3, notes: [{ text: 'x' }], maybe: null })).toEqual([]);
});

test('what is missing, unknown, of another type or no choice is named by its place', () => {
  expect(told({ topic: 'else', amount: 1.5, notes: [{}, { text: 'x', more: 1 }], extra: 1, maybe: 3 })).toEqual(['extra unknown', 'topic choice', 'amount type', 'notes[0].text missing', 'notes[1].more unknown', 'maybe type']);
  expect(told({})).toEqual(['topic missing']);
  expect(told('text')).toEqual(['type']);
});

test('a schema that says little lets everything through', () => {
  for (const value of [null, 'x', 3, [], { a: 1 }] as Json[]) expect(told(value, {})).toEqual([]);
  expect(told({ a: 1 }, { type: 'object' })).toEqual([]);
  expect(told({ a: 1, b: 2 }, { type: 'object', properties: { a: {} }, additionalProperties: true })).toEqual([]);
});
