import { describe, expect, test } from 'vitest';

import { isJson, readTyped, typedOf } from '~/ui/typedValue';

describe('what was typed', () => {
  test.each([
    ['  ', { kind: 'none' }],
    ['hello', { kind: 'text', value: 'hello' }],
    ['180', { kind: 'text', value: '180' }],
    ['null', { kind: 'text', value: 'null' }],
    ['{"a": [1]}', { kind: 'json', value: { a: [1] } }],
    [' [1, 2]', { kind: 'json', value: [1, 2] }],
    ['[not json', { kind: 'text', value: '[not json' }],
  ])('%j by itself', (text, reading) => expect(readTyped({ text, as: 'auto' })).toEqual(reading));

  test('as text, JSON stays text', () => expect(readTyped({ text: '{"a":1}', as: 'text' })).toEqual({ kind: 'text', value: '{"a":1}' }));
  test('as JSON, a number is one', () => expect(readTyped({ text: '180', as: 'json' })).toEqual({ kind: 'json', value: 180 }));
  test('as JSON, a text that is none is a fault', () => expect(readTyped({ text: '{', as: 'json' }).kind).toBe('fault'));
});

test.each(['hello', '{"a":1}', '[1]', 180, true, { a: null }, [1, 'x']])('%j is read again as itself', (value) => {
  expect(readTyped(typedOf(value))).toEqual({ kind: typeof value === 'string' ? 'text' : 'json', value });
});

test('null is nothing', () => expect(readTyped(typedOf(null))).toEqual({ kind: 'none' }));

test('JSON is offered where it is JSON', () => expect([isJson('180'), isJson('hello'), isJson('')]).toEqual([true, false, false]));
