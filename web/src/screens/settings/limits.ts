/** How long something is kept: null is for ever. */
export interface Limits {
  days: number | null;
  megabytes: number | null;
}

/** A limit as it was typed; nothing is none. */
export function limitOf(typed: string | number): number | null {
  const number = typeof typed === 'number' ? typed : Number.parseInt(typed, 10);
  return Number.isFinite(number) && number > 0 ? number : null;
}

/** Whether something that is kept now may go. */
export function isTighter(wanted: Limits, before: Limits): boolean {
  return (['days', 'megabytes'] as const).some((name) => (wanted[name] ?? Infinity) < (before[name] ?? Infinity));
}
