import { expect, test } from 'vitest';

import { makeFormat } from '~/ui/format';

const en = makeFormat('en', 'unknown');
const fr = makeFormat('fr', 'inconnu');

test('what is not known is never 0', () => {
  for (const show of [en.number, en.percent, en.score, en.money, en.duration, en.dateTime, en.date]) {
    expect(show(null)).toBe('unknown');
    expect(show(undefined)).toBe('unknown');
  }
  expect(en.number(0)).toBe('0');
  expect(en.money(0)).toBe('$0.00');
});

test.each([
  [0.0042, '4.2 ms'],
  [0.32, '320 ms'],
  [2.44, '2.4 sec'],
  [59.97, '1 min'],
  [185, '3 min 5 sec'],
  [7265, '2 hr 1 min'],
])('%d seconds read %s', (seconds, text) => {
  expect(en.duration(seconds)).toBe(text);
});

test.each([
  [12.3456, '$12.35'],
  [0.00123, '$0.0012'],
  [0.5, '$0.50'],
])('%d dollars read %s', (dollars, text) => {
  expect(en.money(dollars)).toBe(text);
});

test('French has its own marks', () => {
  expect(fr.score(0.75)).toBe('0,75');
  expect(fr.percent(0.494)).toMatch(/^49\s%$/);
  expect(fr.number(10000)).toMatch(/^10\s000$/);
});
