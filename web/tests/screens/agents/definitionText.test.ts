import { expect, test } from 'vitest';

import { definitionText } from '~/screens/agents/definition/definitionText';

test('fields stand in lines by name, long texts as they are', () => {
  const text = definitionText({ model: 'openai:x', instructions: 'Be brief.\nBe kind.', limits: { steps: 3 }, tools: ['calculator', { kind: 'file_ops', max_bytes: 10 }], settings: {} });
  expect(text.split('\n')).toEqual([
    'instructions:',
    '  Be brief.',
    '  Be kind.',
    'limits:',
    '  steps: 3',
    'model: openai:x',
    'settings: {}',
    'tools:',
    '  - calculator',
    '  - kind: file_ops',
    '    max_bytes: 10',
  ]);
});

test('the order of keys is no difference', () => {
  expect(definitionText({ b: 1, a: null })).toBe(definitionText({ a: null, b: 1 }));
});
