import { expect, test } from 'vitest';

import { toolKind, toolOptions, withOptions } from '~/screens/agents/definition/tools';

test('a tool is named, or has options', () => {
  expect([toolKind('calculator'), toolKind({ kind: 'file_ops', max_bytes: 5 }), toolKind(3)]).toEqual(['calculator', 'file_ops', '']);
  expect([toolOptions('calculator'), toolOptions({ kind: 'file_ops', max_bytes: 5 })]).toEqual([{}, { max_bytes: 5 }]);
});

test('without options its name is enough', () => {
  expect(withOptions('file_ops', {})).toBe('file_ops');
  expect(withOptions('file_ops', { max_bytes: 5 })).toEqual({ kind: 'file_ops', max_bytes: 5 });
});
