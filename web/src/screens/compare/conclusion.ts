import type { Schemas } from '~/api/client';

/** Fewer changed verdicts than this tell nothing. */
export const MIN_CHANGES = 5;
const SIGNIFICANT = 0.05;

export type Conclusion = 'nothing' | 'tooFew' | 'better' | 'worse' | 'borderline' | 'chance';

/** What a comparison amounts to, by the rule of the server's core/comparison.py: the interval and the test must agree. */
export function conclusion({ difference, interval, cases_better, cases_worse, test }: Schemas['Figures']): Conclusion {
  if (difference === null) return 'nothing';
  if (cases_better + cases_worse < MIN_CHANGES) return 'tooFew';
  const significant = midP(test) <= SIGNIFICANT;
  const excludesZero = interval[0] > 0 || interval[1] < 0;
  // With several trials more cases can get worse while more trials pass: then nothing is beyond doubt.
  const oneDirection = (cases_better - cases_worse) * difference > 0;
  if (significant && excludesZero && oneDirection) return difference > 0 ? 'better' : 'worse';
  return significant || excludesZero ? 'borderline' : 'chance';
}

/** McNemar's mid-p; the pair holds the exact p before it. */
export const midP = (test: Schemas['McNemar']): number => test[1];
