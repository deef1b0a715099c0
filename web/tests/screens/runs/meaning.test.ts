import { expect, test } from 'vitest';

import { meaningOf, wholePercent } from '~/screens/runs/meaning';

test.each([
  [{ passed: 3, failed: 0, interval: [0.44, 1] }, 'allPassed'],
  [{ passed: 0, failed: 3, interval: [0, 0.56] }, 'nonePassed'],
  [{ passed: 4, failed: 1, interval: [0.38, 0.96] }, 'open'],
  [{ passed: 900, failed: 100, interval: [0.88, 0.92] }, 'settled'],
] as const)('the sentence depends on the figures: %j', (figures, sentence) => {
  expect(meaningOf({ ...figures, interval: [...figures.interval] })).toBe(sentence);
});

test('halves round upwards', () => {
  expect([29 / 200, 0.005, 1, 0].map(wholePercent)).toEqual([15, 1, 100, 0]);
});
