import { expect, test } from 'vitest';

import { draftOf, missingIn, newDraft, placed, timingOf } from '~/screens/schedules/scheduleDraft';

import { aSchedule } from './samples';

const NOW = Date.parse('2026-11-30T18:20:00Z');

test('a new one fires every day from the next full hour on, in the reader’s zone', () => {
  const draft = newDraft('t', null, 'Europe/Paris', NOW);
  expect(draft).toMatchObject({ target: 't', dataset: null, kind: 'every', n: 1, unit: 'days', start: '2026-11-30T20:00', end: '' });
  expect(timingOf(draft)).toEqual({ start: '2026-11-30T19:00:00.000Z', end: null, zone: 'Europe/Paris', recurrence: { kind: 'every', n: 1, unit: 'days' } });
});

test('times are read in the zone that is chosen', () => {
  const draft = { ...newDraft('t', 'd', 'Europe/Paris', NOW), zone: 'America/New_York', end: '2026-12-31T00:00' };
  expect(timingOf(draft)).toMatchObject({ start: '2026-12-01T01:00:00.000Z', end: '2026-12-31T05:00:00.000Z' });
});

test('what is not changed stays to the second', () => {
  const before = aSchedule({ start: '2026-01-01T06:00:42.5Z', zone: 'Europe/Paris' });
  expect(timingOf(draftOf(before), before)).toMatchObject({ start: before.start });
  expect(timingOf({ ...draftOf(before), start: '2026-01-01T08:00' }, before)).toMatchObject({ start: '2026-01-01T07:00:00.000Z' });
});

test('what is missing', () => {
  const draft = newDraft(null, null, 'Europe/Paris', NOW);
  expect(missingIn(draft, null, null)).toEqual({ name: 'needed', target: 'needed', dataset: 'needed' });
  expect(missingIn({ ...draft, name: 'a', n: '' }, 't', 'd')).toEqual({ recurrence: 'wholeNumber' });
  expect(missingIn({ ...draft, name: 'a', n: 1.5 }, 't', 'd')).toEqual({ recurrence: 'wholeNumber' });
  expect(missingIn({ ...draft, name: 'a', kind: 'cron' }, 't', 'd')).toEqual({ recurrence: 'needed' });
  expect(missingIn({ ...draft, name: 'a', kind: 'cron', expression: '0 7 * *' }, 't', 'd')).toEqual({ recurrence: 'fiveFields' });
  expect(missingIn({ ...draft, name: 'a', end: '2026-11-30T19:59' }, 't', 'd')).toEqual({ end: 'endsBefore' });
  expect(missingIn({ ...draft, name: 'a' }, 't', 'd')).toEqual({});
});

test('the server’s faults stand at their fields', () => {
  const faults = [
    { pointer: '/recurrence/expression', detail: 'no' },
    { pointer: '/zone', detail: 'none' },
  ];
  expect(placed(faults)).toEqual({ errors: { recurrence: 'no', zone: 'none' }, complete: true });
  expect(placed([{ pointer: '', detail: 'odd' }])).toEqual({ errors: {}, complete: false });
});
