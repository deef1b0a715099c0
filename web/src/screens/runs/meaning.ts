import type { Schemas } from '~/api/client';

/** Half the width of an interval that is asked for unless somebody chooses another one. */
export const NARROW = 0.1;
/** Half the width of an interval that leaves little open. */
const SETTLED = 0.05;

/** Which sentence fits the figures: both ends are open, only one where all ended alike, or little is. */
export function meaningOf({ passed, failed, interval: [low, high] }: Pick<Schemas['Summary'], 'passed' | 'failed' | 'interval'>): 'allPassed' | 'nonePassed' | 'settled' | 'open' {
  if (failed === 0) return 'allPassed';
  if (passed === 0) return 'nonePassed';
  return (Number(high) - Number(low)) / 2 <= SETTLED ? 'settled' : 'open';
}

/** A share in whole percents, halves upwards: 29/200 is a half (14.5 %), though its float lies just below. */
export function wholePercent(share: number): number {
  return Math.floor(Math.round(share * 1e11) / 1e9 + 0.5);
}
