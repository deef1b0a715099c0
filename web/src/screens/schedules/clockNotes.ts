import { cronFields, takes } from '~/screens/schedules/cronFields';
import type { Timing } from '~/screens/schedules/scheduleQueries';
import { isKnown, localOf, momentsOf } from '~/screens/schedules/zones';

/** `skipped`: the clocks go forward over its time, so it is later; `twice`: they go back over it, and it fires the first time. */
export type ClockNote = 'skipped' | 'twice';

/** What a change of the clocks does to a firing; null where it does nothing. */
export function clockNote(firing: string, timing: Timing): ClockNote | null {
  const { recurrence, zone } = timing;
  if (!isKnown(zone) || (recurrence.kind === 'every' && (recurrence.unit === 'minutes' || recurrence.unit === 'hours'))) return null;
  const local = localOf(Date.parse(firing), zone);
  if (!isMeant(local, timing)) return 'skipped';
  return momentsOf(local, zone).length > 1 ? 'twice' : null;
}

/** Whether a local time is one that the recurrence names. Of an expression that is not understood every one is. */
function isMeant(local: string, { recurrence, start, zone }: Timing): boolean {
  if (recurrence.kind === 'every') return local.slice(11) === localOf(Date.parse(start), zone).slice(11);
  const fields = cronFields(recurrence.expression);
  return fields === null || (takes(fields.hours, Number(local.slice(11, 13))) && takes(fields.minutes, Number(local.slice(14))));
}
