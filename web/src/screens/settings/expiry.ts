export const EXPIRIES = ['30', '90', '365', 'never', 'date'] as const;
export type Expiry = (typeof EXPIRIES)[number];

const DAY_MS = 86_400_000;

/**
 * When a key ends, as RFC 3339; null for never. `day`: the last day (`YYYY-MM-DD`) in the reader's time zone, where
 * `date` is chosen; undefined where that is none, or is over.
 */
export function expiresAt(expiry: Expiry, day: string, now: number): string | null | undefined {
  if (expiry === 'never') return null;
  if (expiry !== 'date') return new Date(now + Number(expiry) * DAY_MS).toISOString();
  const end = Date.parse(`${day}T23:59:59`);
  return Number.isNaN(end) || end <= now ? undefined : new Date(end).toISOString();
}
