import type { Schemas } from '~/api/client';
import { tokensOf, type Usage } from '~/screens/usage/cost';
import { daysBetween } from '~/screens/usage/period';

export const MEASURES = ['tokens', 'calls', 'cost'] as const;
export type Measure = (typeof MEASURES)[number];

export interface UsageSeries {
  /** The beginnings of the days, in seconds. */
  times: number[];
  /** What targets used; null where it is not known. */
  target: (number | null)[];
  /** What both used together, of which the targets' part is the lower one. */
  both: (number | null)[];
  /** Whether a day has calls of which it is not known. */
  gaps: boolean;
}

/** A measure for each day of a report; a day without calls is 0, and what is not known is null. */
export function usageSeries(report: Schemas['UsageReport'], measure: Measure): UsageSeries {
  const days = daysBetween(report.since, report.until);
  const used = new Map(report.days.map(({ day, side, usage }) => [`${day} ${side}`, usage]));
  const values = (side: 'target' | 'judge') => days.map((day) => valueOf(used.get(`${day} ${side}`), measure));
  const [target, judge] = [values('target'), values('judge')];
  return {
    times: days.map((day) => Date.parse(day) / 1000),
    target,
    both: target.map((value, index) => sum(value, judge[index] ?? null)),
    gaps: [...target, ...judge].some((value) => value === null),
  };
}

function valueOf(usage: Usage | undefined, measure: Measure): number | null {
  if (!usage || usage.calls === 0) return 0;
  if (measure === 'calls') return usage.calls;
  return measure === 'tokens' ? tokensOf(usage) : usage.cost;
}

function sum(a: number | null, b: number | null): number | null {
  return a === null && b === null ? null : (a ?? 0) + (b ?? 0);
}
