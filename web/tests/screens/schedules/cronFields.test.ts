import { expect, test } from 'vitest';

import { cronFields, hasFiveFields, takes } from '~/screens/schedules/cronFields';

test('the common kinds of fields are read', () => {
  expect(cronFields('*/15 9-17 1,15 JAN-MAR mon-fri')).toEqual({
    minutes: { kind: 'step', step: 15 },
    hours: { kind: 'list', values: [9, 10, 11, 12, 13, 14, 15, 16, 17] },
    days: { kind: 'list', values: [1, 15] },
    months: { kind: 'list', values: [1, 2, 3] },
    weekdays: { kind: 'list', values: [1, 2, 3, 4, 5] },
  });
  expect(cronFields('0-30/10 */1 L * 7,6')).toMatchObject({ minutes: { values: [0, 10, 20, 30] }, hours: { kind: 'any' }, days: { kind: 'last' }, weekdays: { values: [0, 6] } });
});

test.each(['', '0 7 * *', '0 7 * * * *', '60 7 * * *', '0 24 * * *', '0 7 * * 1#2', '0 7 1W * *', '0 5-3 * * *', '0 */0 * * *', '0 7 * FOO *', '0 7 0 * *', '-1 7 * * *'])('%j is none of them', (expression) => {
  expect(cronFields(expression)).toBeNull();
});

test('what is no expression at all is seen at once', () => {
  expect(hasFiveFields('0 7 * *')).toBe(false);
  expect(hasFiveFields('  0 7  * * 1-5 ')).toBe(true);
});

test('which values a field takes', () => {
  expect([0, 15, 20].map((value) => takes({ kind: 'step', step: 15 }, value))).toEqual([true, true, false]);
  expect(takes({ kind: 'list', values: [3] }, 4)).toBe(false);
  expect(takes({ kind: 'any' }, 4)).toBe(true);
});
