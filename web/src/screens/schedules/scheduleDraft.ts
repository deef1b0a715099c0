import type { Schemas } from '~/api/client';
import type { FieldFault } from '~/api/errors';
import { hasFiveFields } from '~/screens/schedules/cronFields';
import type { Schedule, Timing } from '~/screens/schedules/scheduleQueries';
import { isKnown, localOf, momentOf } from '~/screens/schedules/zones';

export const UNITS = ['minutes', 'hours', 'days', 'weeks', 'months'] as const;
export type Unit = (typeof UNITS)[number];

/** What is typed into the form. `start` and `end` are what the clocks of `zone` show; an empty end is none. */
export interface ScheduleDraft {
  name: string;
  /** Null: the default of the moment. */
  target: string | null;
  dataset: string | null;
  kind: 'every' | 'cron';
  n: number | string;
  unit: Unit;
  expression: string;
  zone: string;
  start: string;
  end: string;
}

export type ScheduleField = 'name' | 'target' | 'dataset' | 'recurrence' | 'zone' | 'start' | 'end';
export type Missing = 'needed' | 'wholeNumber' | 'fiveFields' | 'endsBefore';

const HOUR_MS = 3_600_000;

/** Every day from the next full hour on. */
export function newDraft(target: string | null, dataset: string | null, zone: string, now: number): ScheduleDraft {
  const start = localOf(Math.ceil(now / HOUR_MS) * HOUR_MS, zone);
  return { name: '', target, dataset, kind: 'every', n: 1, unit: 'days', expression: '', zone, start, end: '' };
}

/** A schedule as it is edited. A zone that the browser does not know is read as UTC. */
export function draftOf(schedule: Schedule): ScheduleDraft {
  const { recurrence, name, target_id: target, dataset_id: dataset, start, end } = schedule;
  const zone = isKnown(schedule.zone) ? schedule.zone : 'UTC';
  const local = (time: string) => localOf(Date.parse(time), zone);
  const often = recurrence.kind === 'cron' ? ({ kind: 'cron', n: 1, unit: 'days', expression: recurrence.expression } as const) : ({ kind: 'every', n: recurrence.n, unit: recurrence.unit, expression: '' } as const);
  return { name, target, dataset, ...often, zone, start: local(start), end: end === null ? '' : local(end) };
}

/** What keeps a draft from being sent. Whether the rest fits, the server knows. */
export function missingIn(draft: ScheduleDraft, target: string | null, dataset: string | null): Partial<Record<ScheduleField, Missing>> {
  const faults: [ScheduleField, Missing | false][] = [
    ['name', !draft.name.trim() && 'needed'],
    ['target', target === null && 'needed'],
    ['dataset', dataset === null && 'needed'],
    ['zone', !draft.zone && 'needed'],
    ['start', !draft.start && 'needed'],
    ['end', draft.end !== '' && draft.end < draft.start && 'endsBefore'],
    ['recurrence', recurrenceFault(draft)],
  ];
  return Object.fromEntries(faults.filter(([, fault]) => fault)) as Partial<Record<ScheduleField, Missing>>;
}

function recurrenceFault({ kind, n, expression }: ScheduleDraft): Missing | false {
  if (kind === 'every') return !(typeof n === 'number' && Number.isInteger(n) && n > 0) && 'wholeNumber';
  if (!expression.trim()) return 'needed';
  return !hasFiveFields(expression) && 'fiveFields';
}

/** When a draft fires; null while something of it is missing. A time of `before` that was not changed keeps its seconds. */
export function timingOf(draft: ScheduleDraft, before?: Timing): Timing | null {
  const { start, end, zone, kind, n, unit, expression } = draft;
  if (!start || !zone || recurrenceFault(draft) || (end && end < start)) return null;
  const moment = (local: string, was: string | null | undefined) =>
    was && before?.zone === zone && localOf(Date.parse(was), zone) === local ? was : new Date(momentOf(local, zone)).toISOString();
  const recurrence = kind === 'cron' ? { kind, expression: expression.trim() } : { kind, n: Number(n), unit };
  return { start: moment(start, before?.start), end: end ? moment(end, before?.end) : null, zone, recurrence };
}

/** What is sent of a draft that misses nothing. */
export function givenOf(draft: ScheduleDraft, timing: Timing, target: string, dataset: string, paused: boolean): Schemas['ScheduleGiven'] {
  return { name: draft.name.trim(), target_id: target, dataset_id: dataset, paused, ...timing };
}

const PLACES: [RegExp, ScheduleField][] = [
  [/^\/name/, 'name'],
  [/^\/target_id/, 'target'],
  [/^\/dataset_id/, 'dataset'],
  [/^\/recurrence/, 'recurrence'],
  [/^\/zone/, 'zone'],
  [/^\/start/, 'start'],
  [/^\/end/, 'end'],
];

/** The server's faults by field, and whether every one of them has a field. */
export function placed(faults: readonly FieldFault[]): { errors: Partial<Record<ScheduleField, string>>; complete: boolean } {
  const found = faults.map(({ pointer, detail }) => [PLACES.find(([pattern]) => pattern.test(pointer))?.[1], detail] as const);
  const known = found.filter(([field]) => field !== undefined);
  return { errors: Object.fromEntries(known) as Partial<Record<ScheduleField, string>>, complete: faults.length > 0 && known.length === faults.length };
}
