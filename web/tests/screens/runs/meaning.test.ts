import { expect, test } from 'vitest';

import { casesForHalfWidth, moreCases, wholePercent } from '~/screens/runs/meaning';

// The figures of the server's own function.
test.each([
  [0.1, 0.5, 93],
  [0.1, 0.8, 60],
])('an interval of ±%d at a rate of %d needs %d cases', (half, rate, cases) => {
  expect(casesForHalfWidth(half, rate)).toBe(cases);
});

test('how many more cases would narrow a run', () => {
  expect(moreCases({ rate: 0.8, passed: 4, failed: 1, trials: 1 })).toBe(55);
  expect(moreCases({ rate: 0.8, passed: 400, failed: 100, trials: 1 })).toBe(0);
  expect(moreCases({ rate: 0.8, passed: 4, failed: 1, trials: 3 })).toBe(0);
  expect(moreCases({ rate: null, passed: 0, failed: 0, trials: 1 })).toBe(0);
});

test('halves round upwards', () => {
  expect([29 / 200, 0.005, 1, 0].map(wholePercent)).toEqual([15, 1, 100, 0]);
});
