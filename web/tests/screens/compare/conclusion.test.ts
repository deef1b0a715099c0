import { expect, test } from 'vitest';

import { conclusion } from '~/screens/compare/conclusion';

const figures = (changes: Partial<Parameters<typeof conclusion>[0]>) =>
  ({ compared: 40, better: 8, worse: 0, cases_better: 8, cases_worse: 0, difference: 0.2, interval: [0.1, 0.3], judge_noise: false, test: [0.008, 0.004], scores: null, ...changes }) as Parameters<typeof conclusion>[0];

test.each([
  ['better', {}],
  ['worse', { cases_better: 0, cases_worse: 8, difference: -0.2, interval: [-0.3, -0.1] }],
  ['nothing', { difference: null }],
  ['tooFew', { cases_better: 4 }],
  ['borderline', { interval: [-0.01, 0.3] }],
  ['borderline', { test: [0.1, 0.06] }],
  ['borderline', { cases_better: 3, cases_worse: 5 }],
  ['chance', { interval: [-0.1, 0.3], test: [0.3, 0.2] }],
] as [string, object][])('%s: %j', (expected, changes) => {
  expect(conclusion(figures(changes))).toBe(expected);
});
