export const PERIODS = ['2', '7', '30', '90'] as const;
/** So many days until now. */
export type Period = (typeof PERIODS)[number];

const DEFAULT: Period = '7';
const DAY_MS = 86_400_000;
/** Shorter periods are shown by the hour. */
const MOST_BY_HOUR = 7;

/** The period that the address names. */
export function periodOf(wanted: string | null): Period {
  return PERIODS.find((period) => period === wanted) ?? DEFAULT;
}

/** Where a period begins, and by what it is shown. `now`: milliseconds. */
export function spanOf(period: Period, now: number): { bucket: 'hour' | 'day'; since: string } {
  const days = Number(period);
  // By the day it begins with a whole one: today is one of them.
  const by = days <= MOST_BY_HOUR ? ('hour' as const) : ('day' as const);
  return { bucket: by, since: new Date(now - (by === 'hour' ? days : days - 1) * DAY_MS).toISOString() };
}
