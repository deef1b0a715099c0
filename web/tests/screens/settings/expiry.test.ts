import { expect, test } from 'vitest';

import { expiresAt } from '~/screens/settings/expiry';

const NOW = Date.parse('2026-03-01T12:00:00Z');

test('a key ends after so many days, never, or at the end of a day', () => {
  expect(expiresAt('30', '', NOW)).toBe('2026-03-31T12:00:00.000Z');
  expect(expiresAt('never', '', NOW)).toBeNull();
  expect(expiresAt('date', '2026-03-05', NOW)).toBe(new Date('2026-03-05T23:59:59').toISOString());
});

test('a day that is over, or none, will not do', () => {
  expect(expiresAt('date', '2026-02-01', NOW)).toBeUndefined();
  expect(expiresAt('date', '', NOW)).toBeUndefined();
});
