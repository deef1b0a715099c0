/** One field of a cron expression: every value, every so many, or those that are listed. */
export type CronField = { kind: 'any' } | { kind: 'step'; step: number } | { kind: 'list'; values: number[] };

export interface CronFields {
  minutes: CronField;
  hours: CronField;
  /** Days of the month; `last` for the month's last. */
  days: CronField | { kind: 'last' };
  months: CronField;
  /** 0 is Sunday. */
  weekdays: CronField;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const COUNT = 5;

/** Whether a text has as many fields as a cron expression; only the server knows whether they fit. */
export function hasFiveFields(expression: string): boolean {
  return expression.trim().split(/\s+/).length === COUNT;
}

/** The fields of a cron expression of the common kinds; null for all others, which the server may take all the same. */
export function cronFields(expression: string): CronFields | null {
  if (!hasFiveFields(expression)) return null;
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = expression.trim().toUpperCase().split(/\s+/);
  const minutes = field(minute, 0, 59);
  const hours = field(hour, 0, 23);
  const days = day === 'L' ? ({ kind: 'last' } as const) : field(day, 1, 31);
  const months = field(month, 1, 12, MONTHS, 1);
  const weekdays = field(weekday, 0, 7, WEEKDAYS, 0);
  if (!minutes || !hours || !days || !months || !weekdays) return null;
  return { minutes, hours, days, months, weekdays: sundayFirst(weekdays) };
}

/** `names`: what may stand for numbers, from `first` on. */
function field(text: string, low: number, high: number, names: string[] = [], first = 0): CronField | null {
  if (text === '*') return { kind: 'any' };
  const every = /^\*\/(\d+)$/.exec(text);
  if (every) {
    const step = Number(every[1]);
    if (step < 1) return null;
    return step === 1 ? { kind: 'any' } : { kind: 'step', step };
  }
  const parts = text.split(',').map((part) => values(part, low, high, names, first));
  if (parts.some((part) => part === null)) return null;
  return { kind: 'list', values: [...new Set(parts.flatMap((part) => part ?? []))].sort((a, b) => a - b) };
}

/** The values of "7", "1-5" or "10-50/20". */
function values(text: string, low: number, high: number, names: string[], first: number): number[] | null {
  const match = /^(\w+)(?:-(\w+)(?:\/(\d+))?)?$/.exec(text);
  if (!match) return null;
  const [, from = '', to = from, step = '1'] = match;
  const [start, end] = [from, to].map((value) => (names.includes(value) ? names.indexOf(value) + first : /^\d+$/.test(value) ? Number(value) : NaN)) as [number, number];
  if (!(start >= low && end <= high && start <= end && Number(step) > 0)) return null;
  return Array.from({ length: end - start + 1 }, (_, index) => start + index).filter((value) => (value - start) % Number(step) === 0);
}

/** Sunday is 0, also when it was written 7. */
function sundayFirst(weekdays: CronField): CronField {
  if (weekdays.kind !== 'list') return weekdays;
  return { kind: 'list', values: [...new Set(weekdays.values.map((value) => value % 7))].sort((a, b) => a - b) };
}

/** Whether a value is one of a field that begins at 0. */
export function takes(field: CronField, value: number): boolean {
  if (field.kind === 'any') return true;
  return field.kind === 'step' ? value % field.step === 0 : field.values.includes(value);
}
