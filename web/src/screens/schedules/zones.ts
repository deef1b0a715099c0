const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** The reader's own time zone, by its IANA name. */
export function readersZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Whether two names are of one zone, as far as the browser knows other names. */
export function isSameZone(a: string, b: string): boolean {
  return a === b || (isKnown(a) && isKnown(b) && canonical(a) === canonical(b));
}

/** Whether the browser knows a zone; the server may know others. */
export function isKnown(zone: string): boolean {
  try {
    canonical(zone);
    return true;
  } catch {
    return false;
  }
}

function canonical(zone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
}

/** The zones that can be chosen, with those that are named, which the browser's list may lack. */
export function zoneNames(...named: string[]): string[] {
  return [...new Set(['UTC', ...named, ...Intl.supportedValuesOf('timeZone')])].sort();
}

/** What the clocks of a zone show at a moment: "2026-03-29T01:30". `moment`: milliseconds, as of `Date`. */
export function localOf(moment: number, zone: string): string {
  return new Date(moment + offsetAt(moment, zone)).toISOString().slice(0, 16);
}

/** How far a zone is ahead of UTC at a moment, in milliseconds. */
function offsetAt(moment: number, zone: string): number {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const parts = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(moment / 1000) * 1000;
}

/** The moments at which the clocks of a zone show a local time: none when they skip it, two when they go back to it. */
export function momentsOf(local: string, zone: string): number[] {
  const [early, late] = candidates(local, zone);
  return [...new Set([early, late])].filter((moment) => localOf(moment, zone) === local.slice(0, 16));
}

/** The moment that the server takes for a local time: its first one, or of one that is skipped the end of the gap. */
export function momentOf(local: string, zone: string): number {
  const [first] = momentsOf(local, zone);
  if (first !== undefined) return first;
  let [before, behind] = candidates(local, zone);
  const offset = offsetAt(before, zone);
  while (behind - before > MINUTE_MS) {
    const middle = before + Math.floor((behind - before) / 2 / MINUTE_MS) * MINUTE_MS;
    if (offsetAt(middle, zone) === offset) before = middle;
    else behind = middle;
  }
  return behind;
}

/** A local time read by the offsets of the day before and of the day behind it, the earlier moment first. */
function candidates(local: string, zone: string): [number, number] {
  const asUtc = Date.parse(`${local.slice(0, 16)}Z`);
  const read = [asUtc - DAY_MS, asUtc + DAY_MS].map((near) => asUtc - offsetAt(near, zone));
  return [Math.min(...read), Math.max(...read)];
}

/** The same in short, beside a longer form: only the weekday and the time. */
export function zonedShort(language: string, time: string, zone: string): string {
  const timeZone = isKnown(zone) ? zone : 'UTC';
  return new Intl.DateTimeFormat(language, { weekday: 'short', hour: 'numeric', minute: '2-digit', timeZone }).format(new Date(time));
}

/** A moment with its weekday, as the clocks of a zone show it. An unknown zone is told in UTC. */
export function zonedText(language: string, time: string, zone: string): string {
  const timeZone = isKnown(zone) ? zone : 'UTC';
  const day = new Intl.DateTimeFormat(language, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone });
  const hour = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone });
  return `${day.format(new Date(time))}, ${hour.format(new Date(time))}`;
}
