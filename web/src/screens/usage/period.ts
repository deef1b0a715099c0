import type { ListParams } from '~/ui/listParams';

export const PRESETS = ['7', '30', '90', '365'] as const;
export type Preset = (typeof PRESETS)[number];
const DEFAULT: Preset = '30';
const DAY_MS = 86_400_000;

/** Days (UTC, `YYYY-MM-DD`), both included. */
export interface Period {
  preset: Preset | 'own';
  since: string;
  until: string;
}

/** The period that the address names: `period=90`, or `period=own` with `since` and `until`. `today`: the last day. */
export function periodOf(params: ListParams, today: string): Period {
  const wanted = params.filter('period');
  if (wanted === 'own') return { preset: 'own', since: dayOf(params.filter('since')) ?? daysBefore(today, Number(DEFAULT) - 1), until: dayOf(params.filter('until')) ?? today };
  const preset = PRESETS.find((each) => each === wanted) ?? DEFAULT;
  return { preset, since: daysBefore(today, Number(preset) - 1), until: today };
}

/** Today in UTC. */
export function todayUtc(): string {
  return new Date().toISOString().slice(0, 10);
}

export function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * DAY_MS).toISOString().slice(0, 10);
}

/** Every day from the first to the last, both included. */
export function daysBetween(since: string, until: string): string[] {
  const count = Math.max(0, Math.round((Date.parse(until) - Date.parse(since)) / DAY_MS)) + 1;
  return Array.from({ length: count }, (_, index) => daysBefore(since, -index));
}

function dayOf(value: string | null): string | null {
  return value !== null && /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : null;
}
