import type { Schemas } from '~/api/client';

/** The standard normal quantile at 0.975. */
const Z = 1.959963984540054;
/** Half the width of an interval that is called narrow. */
export const NARROW = 0.1;

/**
 * The least number of cases whose Wilson interval at `rate` is at most `halfWidth` to either side (both in 0..1).
 * As `cases_for_half_width` of the server's core/statistics/planning.py.
 */
export function casesForHalfWidth(halfWidth: number, rate: number): number {
  let enough = 1;
  while (halfWidthOf(rate, enough) > halfWidth) enough *= 2;
  let tooFew = Math.floor(enough / 2);
  while (enough - tooFew > 1) {
    const middle = Math.floor((enough + tooFew) / 2);
    if (halfWidthOf(rate, middle) > halfWidth) tooFew = middle;
    else enough = middle;
  }
  return enough;
}

function halfWidthOf(rate: number, cases: number): number {
  return (Z / (1 + (Z * Z) / cases)) * Math.sqrt((rate * (1 - rate)) / cases + (Z * Z) / (4 * cases * cases));
}

/** How many more cases would narrow a run's interval to ten points to either side; 0 when it is, or with trials. */
export function moreCases({ rate, passed, failed, trials }: Pick<Schemas['Summary'], 'rate' | 'passed' | 'failed' | 'trials'>): number {
  if (rate === null || trials > 1) return 0;
  return Math.max(0, casesForHalfWidth(NARROW, rate) - passed - failed);
}

/** A share in whole percents, halves upwards: 29/200 is a half (14.5 %), though its float lies just below. */
export function wholePercent(share: number): number {
  return Math.floor(Math.round(share * 1e11) / 1e9 + 0.5);
}
