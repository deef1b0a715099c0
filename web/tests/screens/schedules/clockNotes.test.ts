import { expect, test } from 'vitest';

import { clockNote } from '~/screens/schedules/clockNotes';
import type { Timing } from '~/screens/schedules/scheduleQueries';

const at = (recurrence: Timing['recurrence'], zone = 'Europe/Paris'): Timing => ({ start: '2026-03-01T01:30:00Z', end: null, zone, recurrence });
const DAILY = at({ kind: 'every', n: 1, unit: 'days' }); // 02:30 in Paris
const CRON = at({ kind: 'cron', expression: '30 2 * * *' });

test.each([DAILY, CRON])('a time that the clocks skip is later', (timing) => {
  expect(clockNote('2026-03-28T01:30:00Z', timing)).toBeNull();
  expect(clockNote('2026-03-29T01:00:00Z', timing)).toBe('skipped');
  expect(clockNote('2026-03-30T00:30:00Z', timing)).toBeNull();
});

test.each([DAILY, CRON])('a time that occurs twice is the first one', (timing) => {
  expect(clockNote('2026-10-25T00:30:00Z', timing)).toBe('twice');
  expect(clockNote('2026-10-26T01:30:00Z', timing)).toBeNull();
});

test('what counts minutes or hours has no local times', () => {
  expect(clockNote('2026-10-25T00:30:00Z', at({ kind: 'every', n: 6, unit: 'hours' }))).toBeNull();
});

test('of what is not understood, only what is sure is told', () => {
  expect(clockNote('2026-03-29T01:00:00Z', at({ kind: 'cron', expression: '30 2 * * 0#5' }))).toBeNull();
  expect(clockNote('2026-10-25T00:30:00Z', at({ kind: 'cron', expression: '30 2 * * 0#4' }))).toBe('twice');
  expect(clockNote('2026-10-25T00:30:00Z', at({ kind: 'cron', expression: '30 2 * * *' }, 'Nowhere/Land'))).toBeNull();
});

test('a firing at the very change that is meant is none', () => {
  expect(clockNote('2026-03-29T01:00:00Z', at({ kind: 'cron', expression: '0 3 * * *' }))).toBeNull();
});
