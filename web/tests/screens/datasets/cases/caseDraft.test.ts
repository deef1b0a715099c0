import { describe, expect, test } from 'vitest';

import { changesBetween, draftOf, hasOwnKey, inputFault, isGraded, NEW_CASE, titleOf, valuesOf } from '~/screens/datasets/cases/caseDraft';

import { stored } from '../samples';

test('a case that nobody touched has no changes', () => {
  for (const one of [stored, { ...stored, input: { a: 1 }, expected_output: { b: [1] } }, { ...stored, expected_output: '{"a":1}' }, { ...stored, expected_output: 5 }]) {
    const before = valuesOf(draftOf(one));
    expect(changesBetween(before, valuesOf(draftOf(one)))).toEqual({});
    expect([before.input, before.expected_output]).toEqual([one.input, one.expected_output]);
  }
});

test('only what differs is sent', () => {
  const draft = draftOf(stored);
  expect(changesBetween(valuesOf(draft), valuesOf({ ...draft, behavior: ' ', assertions: ['One', ' '] }))).toEqual({ expected_behavior: null, assertions: ['One'] });
});

test('a key that the server made is not shown as one', () => {
  expect([hasOwnKey(stored), hasOwnKey({ key: 'auto-0123456789ab-2' }), hasOwnKey({ key: 'auto-repair' })]).toEqual([false, false, true]);
  expect(draftOf(stored).key).toBe('');
});

test('a case is called by its name, its key, or its input', () => {
  expect([titleOf({ ...stored, name: 'N', key: 'k' }), titleOf({ ...stored, key: 'k' }), titleOf(stored), titleOf({ ...stored, input: { a: 1 } })]).toEqual(['N', 'k', 'Can I return it?', '{"a":1}']);
});

test.each([
  ['text', ' ', 'missing'],
  ['text', '{', null],
  ['json', '{', 'notJson'],
  ['json', '[1]', 'notAnObject'],
  ['json', '{"a": 1}', null],
] as const)('input as %s: %j', (inputAs, input, fault) => expect(inputFault({ ...NEW_CASE, inputAs, input })).toBe(fault));

describe('what grades a case', () => {
  const informs = { name: 'x', weight: 0, spec: { kind: 'x' }, evaluator_id: null, version: null };
  test.each([
    [{}, [], false],
    [{ assertions: [' '] }, [], false],
    [{ assertions: ['One'] }, [], true],
    [{ behavior: 'Is kind' }, [], true],
    [{ expected: { text: '4', as: 'auto' as const } }, [], true],
    [{ evaluators: [informs] }, [informs], false],
    [{}, [{ ...informs, weight: 1 }], true],
  ])('%j with %j', (changes, bound, graded) => expect(isGraded({ ...NEW_CASE, ...changes }, bound)).toBe(graded));
});
