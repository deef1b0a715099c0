import { describe, expect, test } from 'vitest';

import { conditionDraft, conditionOf, hasFault, pathFault, readValue, testFault, valueText, withName } from '~/screens/simulations/conditionDraft';
import type { Condition } from '~/screens/simulations/simulations';

test.each<[string, unknown]>([
  ['Paris', 'Paris'],
  ['5', 5],
  ['"5"', '5'],
  ['true', true],
  ['null', null],
  ['[1, 2]', [1, 2]],
  ['no [json', 'no [json'],
])('what is typed as a value: %s', (text, value) => {
  expect(readValue(text)).toEqual(value);
});

test.each(['Paris', '5', 'true', '', ' spaced ', 5, true, null, [1], { a: 1 }, '"quoted"'])('a value is shown so that it is read again: %j', (value) => {
  expect(readValue(valueText(value))).toEqual(value);
});

test.each<Condition>([
  { path: '$.city', equals: 'Paris' },
  { path: '$.city', equals: null },
  { path: '$', exists: false },
  { path: '$.n', above: 1.5, at_most: 10 },
  { path: '$..kind', one_of: ['a', 5, '5'] },
  { path: '$.a', not_equals: { b: 1 }, contains: 'x' },
])('a condition comes back as it was stored: %j', (condition) => {
  expect(conditionOf(conditionDraft(condition))).toEqual(condition);
});

test('tests that the answer names without a value are none', () => {
  expect(conditionDraft({ path: '$.a', equals: 1, above: null, one_of: null, exists: null }).tests).toEqual([{ name: 'equals', texts: ['1'] }]);
});

describe('faults', () => {
  test.each([['$', null], ['$.a', null], [' $..a[0] ', null], ['', 'path'], ['city', 'path'], ['$.', 'path']])('the path %j', (path, fault) => {
    expect(pathFault({ path, tests: [] })).toBe(fault);
  });

  test('a value is needed, and a number where one is compared', () => {
    expect(testFault({ name: 'equals', texts: [' '] })).toBe('value');
    expect(testFault({ name: 'one_of', texts: [] })).toBe('value');
    expect(testFault({ name: 'above', texts: ['much'] })).toBe('number');
    expect(testFault({ name: 'above', texts: ['1,5'] })).toBeNull();
    expect(hasFault({ path: '$.a', tests: [{ name: 'above', texts: ['x'] }] })).toBe(true);
  });
});

test('another test keeps what was typed', () => {
  expect(withName({ name: 'equals', texts: ['a'] }, 'one_of')).toEqual({ name: 'one_of', texts: ['a'] });
  expect(withName({ name: 'one_of', texts: ['a', 'b'] }, 'equals')).toEqual({ name: 'equals', texts: ['a'] });
  expect(withName({ name: 'equals', texts: [''] }, 'one_of').texts).toEqual([]);
  expect(withName({ name: 'equals', texts: ['a'] }, 'exists').texts).toEqual(['true']);
});
