import { expect, test } from 'vitest';

import { assertionHolds, assertionsOf } from '~/screens/runs/result/assertionsOf';

const sample = (...said: [boolean, string][]) => ({ details: { assertions: said.map(([holds, reason], index) => ({ number: index + 1, text: `a${index + 1}`, holds, reason })) } });

test('each assertion is counted over the verdicts, with a reason of the majority', () => {
  const [first, second] = assertionsOf([sample([true, 'yes'], [false, 'no']), sample([false, 'hardly'], [false, 'never']), sample([true, 'sure'], [true, 'maybe'])]);
  expect(first).toEqual({ number: 1, text: 'a1', holds: 2, votes: 3, reason: 'yes' });
  expect(second).toEqual({ number: 2, text: 'a2', holds: 1, votes: 3, reason: 'no' });
});

test('a tie does not hold', () => {
  const [only] = assertionsOf([sample([true, 'yes']), sample([false, 'no'])]);
  expect(only && assertionHolds(only)).toBe(false);
  expect(only?.reason).toBe('no');
});

test.each([[{}], [{ assertions: 'none' }], [{ assertions: [1, null, { number: 1 }] }]])('details that are of another form are no fault: %j', (details) => {
  expect(assertionsOf([{ details }])).toEqual([]);
});
