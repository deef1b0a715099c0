import { describe, expect, test } from 'vitest';

import { isKnown, isSameZone, localOf, momentOf, momentsOf, zonedText, zoneNames } from '~/screens/schedules/zones';

const utc = (text: string) => Date.parse(`${text}Z`);

describe('local times', () => {
  test('are what the clocks of the zone show', () => {
    expect(localOf(utc('2026-07-01T12:00'), 'Europe/Paris')).toBe('2026-07-01T14:00');
    expect(localOf(utc('2026-01-01T02:30'), 'America/New_York')).toBe('2025-12-31T21:30');
    expect(localOf(utc('2026-01-01T00:00'), 'Asia/Kathmandu')).toBe('2026-01-01T05:45');
  });

  test.each([
    ['Europe/Paris', '2026-03-28'],
    ['Europe/Paris', '2026-10-24'],
    ['America/New_York', '2026-03-07'],
    ['America/New_York', '2026-10-31'],
    ['Australia/Lord_Howe', '2026-10-03'],
    ['Asia/Kathmandu', '2026-01-01'],
  ])('in %s go there and back on every hour from %s on', (zone, day) => {
    const moments = Array.from({ length: 72 }, (_, hour) => utc(`${day}T00:15`) + hour * 3_600_000);
    for (const moment of moments) expect(momentsOf(localOf(moment, zone), zone)).toContain(moment);
  });
});

describe('the changes of the clocks', () => {
  test.each([
    ['Europe/Paris', '2026-03-29T02:30', '2026-03-29T01:00'],
    ['America/New_York', '2026-03-08T02:30', '2026-03-08T07:00'],
    ['Australia/Lord_Howe', '2026-10-04T02:10', '2026-10-03T15:30'],
  ])('%s: %s is skipped, and taken for the end of the gap', (zone, local, moment) => {
    expect(momentsOf(local, zone)).toEqual([]);
    expect(momentOf(local, zone)).toBe(utc(moment));
  });

  test.each([
    ['Europe/Paris', '2026-10-25T02:30', '2026-10-25T00:30', '2026-10-25T01:30'],
    ['America/New_York', '2026-11-01T01:30', '2026-11-01T05:30', '2026-11-01T06:30'],
  ])('%s: %s occurs twice, and is taken for the first one', (zone, local, first, second) => {
    expect(momentsOf(local, zone)).toEqual([utc(first), utc(second)]);
    expect(momentOf(local, zone)).toBe(utc(first));
  });

  test('other times of those days occur once', () => {
    expect(momentsOf('2026-03-29T03:00', 'Europe/Paris')).toEqual([utc('2026-03-29T01:00')]);
    expect(momentsOf('2026-10-25T03:00', 'Europe/Paris')).toEqual([utc('2026-10-25T02:00')]);
  });
});

test('names of zones', () => {
  expect(isSameZone('Asia/Calcutta', 'Asia/Kolkata')).toBe(true);
  expect(isSameZone('Europe/Paris', 'Europe/Berlin')).toBe(false);
  expect(isSameZone('Nowhere/Land', 'Europe/Paris')).toBe(false);
  expect(isKnown('Nowhere/Land')).toBe(false);
  expect(zoneNames('Nowhere/Land')).toEqual(expect.arrayContaining(['UTC', 'Europe/Paris', 'Nowhere/Land']));
});

test('a moment is told in the zone, in both languages', () => {
  expect(zonedText('en', '2026-12-01T06:00:00Z', 'America/New_York')).toMatch(/Tue, Dec 1, 2026, 1:00\sAM/);
  expect(zonedText('fr', '2026-12-01T06:00:00Z', 'Europe/Paris')).toMatch(/mar\. 1 déc\. 2026, 07:00/);
});
