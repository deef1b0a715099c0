import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';

import { cronFields, type CronFields } from '~/screens/schedules/cronFields';
import type { Timing } from '~/screens/schedules/scheduleQueries';
import { isKnown, isSameZone, localOf, readersZone } from '~/screens/schedules/zones';

type Translate = TFunction<'schedules'>;

/** Most times of a day that are named one by one. */
const MOST_TIMES = 6;
/** Fewest days on end that are told as a range. */
const FEWEST_IN_RANGE = 3;
const SHORTEST_MONTH = 28;
/** The first Sunday of a year, to take the names of weekdays from. */
const SUNDAY = 4;
const ELAPSED = ['minutes', 'hours'];

interface Language {
  t: Translate;
  language: string;
}

/** When a schedule fires, in the reader's words; see `recurrenceWords`. */
export function useRecurrenceWords(): (timing: Timing) => string {
  const { t, i18n } = useTranslation('schedules');
  return (timing) => recurrenceWords({ t, language: i18n.language }, timing, readersZone());
}

/**
 * When a schedule fires, in words: "every weekday at 7:00 AM", with its zone where that is not the reader's and matters.
 * A cron expression that has no plain words is told as it is.
 */
export function recurrenceWords(language: Language, timing: Timing, reader: string): string {
  const { recurrence, zone } = timing;
  const words = recurrence.kind === 'cron' ? cronWords(language, recurrence.expression) : everyWords(language, timing);
  const local = recurrence.kind === 'cron' || !ELAPSED.includes(recurrence.unit);
  return local && !isSameZone(zone, reader) ? language.t('words.inZone', { words, zone }) : words;
}

function everyWords({ t, language }: Language, { recurrence, start, zone }: Timing): string {
  if (recurrence.kind !== 'every') return '';
  const { n: count, unit } = recurrence;
  const often = t(`words.every.${unit}`, { count });
  if (ELAPSED.includes(unit)) return often;
  const local = localOf(Date.parse(start), isKnown(zone) ? zone : 'UTC');
  const at = new Date(`${local}Z`);
  const time = timeText(language, at.getUTCHours(), at.getUTCMinutes());
  if (unit === 'weeks') return t('words.weekly', { often, weekday: weekdayName(language, at.getUTCDay()), time });
  if (unit === 'days') return t('words.at', { days: often, times: time });
  const day = at.getUTCDate();
  return t(day > SHORTEST_MONTH ? 'words.monthlyOrLast' : 'words.monthly', { often, day, time });
}

function cronWords(language: Language, expression: string): string {
  const { t } = language;
  const fields = cronFields(expression);
  const plain = fields && plainWords(language, fields);
  return plain ?? t('words.cron', { expression });
}

function plainWords(language: Language, fields: CronFields): string | null {
  const { t } = language;
  const days = daysWords(language, fields);
  if (days === null) return null;
  const daily = fields.days.kind === 'any' && fields.weekdays.kind === 'any';
  const times = timesOf(language, fields);
  const often = times === null ? intervalWords(language, fields) : null;
  if (times === null && often === null) return null;
  const words = often === null ? t('words.at', { days, times: times ?? '' }) : daily ? often : t('words.oftenOn', { often, days });
  if (fields.months.kind === 'any') return words;
  const months = fields.months.kind === 'list' ? fields.months.values.map((month) => monthName(language.language, month)) : null;
  return months && t('words.inMonths', { words, months: listed(language.language, months) });
}

/** The times of a day, where there are few of them. */
function timesOf({ language }: Language, { minutes, hours }: CronFields): string | null {
  if (minutes.kind !== 'list' || hours.kind !== 'list' || minutes.values.length * hours.values.length > MOST_TIMES) return null;
  const times = hours.values.flatMap((hour) => minutes.values.map((minute) => timeText(language, hour, minute)));
  return listed(language, times);
}

/** "every 15 minutes", "every 2 hours", "every hour at minute 5", between hours if so. */
function intervalWords({ t, language }: Language, { minutes, hours }: CronFields): string | null {
  const minute = minutes.kind === 'list' && minutes.values.length === 1 ? minutes.values[0] : undefined;
  if (minutes.kind === 'list' && minute === undefined) return null;
  if (hours.kind === 'step') {
    if (minute === undefined) return null;
    const often = t('words.every.hours', { count: hours.step });
    return minute === 0 ? often : t('words.atMinute', { often, minute });
  }
  const often = t(minute === undefined ? 'words.every.minutes' : 'words.every.hours', { count: minutes.kind === 'step' ? minutes.step : 1 });
  const words = minute ? t('words.atMinute', { often, minute }) : often;
  if (hours.kind === 'any') return words;
  const [first, last] = rangeOf(hours.values);
  if (first === undefined || last === undefined) return null;
  return t('words.between', { words, from: timeText(language, first, minute ?? 0), to: timeText(language, last, minute ?? 59) });
}

function daysWords({ t, language }: Language, { days, weekdays }: CronFields): string | null {
  if (days.kind === 'step' || weekdays.kind === 'step') return null;
  if (days.kind !== 'any' && weekdays.kind !== 'any') return null;
  if (days.kind === 'last') return t('words.lastDay');
  if (days.kind === 'list') return t('words.daysOfMonth', { count: days.values.length, days: listed(language, days.values.map(String)) });
  return weekdays.kind === 'list' ? weekdaysWords(t, language, weekdays.values) : t('words.every.days', { count: 1 });
}

function weekdaysWords(t: Translate, language: string, values: number[]): string {
  if (values.join() === '1,2,3,4,5') return t('words.workdays');
  if (values.length === 7) return t('words.every.days', { count: 1 });
  // A week begins on Monday here, so that a weekend is no gap.
  const order = [...values].sort((a, b) => ((a + 6) % 7) - ((b + 6) % 7));
  const names = order.map((day) => weekdayName(language, day));
  const [first, last] = rangeOf(order.map((day) => (day + 6) % 7));
  if (first !== undefined && last !== undefined && names.length >= FEWEST_IN_RANGE) return t('words.weekdayRange', { from: names[0], to: names.at(-1) });
  return t('words.weekdays', { days: listed(language, names) });
}

/** The first and the last of numbers that follow one another; nothing where they do not. */
function rangeOf(values: number[]): [number?, number?] {
  const [first = 0] = values;
  return values.length > 1 && values.every((value, index) => value === first + index) ? [first, values.at(-1)] : [];
}

function timeText(language: string, hour: number, minute: number): string {
  return new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: 'UTC' }).format(Date.UTC(2026, 0, 1, hour, minute));
}

function weekdayName(language: string, day: number): string {
  return new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, 0, SUNDAY + day));
}

function monthName(language: string, month: number): string {
  return new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, month - 1, 1));
}

function listed(language: string, parts: string[]): string {
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(parts);
}
