import { expect, test } from 'vitest';

import { periodOf, spanOf } from '~/screens/online/period';
import { reasonOf } from '~/screens/online/reasons';

import { aResult } from './samples';

const NOW = Date.parse('2026-11-30T12:00:00Z');

test('a short period is shown by the hour, a longer one by whole days, today included', () => {
  expect(spanOf('2', NOW)).toEqual({ bucket: 'hour', since: '2026-11-28T12:00:00.000Z' });
  expect(spanOf('30', NOW)).toEqual({ bucket: 'day', since: '2026-11-01T12:00:00.000Z' });
});

test('an address that names no period has the default', () => {
  expect([periodOf('90'), periodOf('many'), periodOf(null)]).toEqual(['90', '7', '7']);
});

test('the reason is that of the evaluator that decided, or of the failure', () => {
  expect(reasonOf(aResult())).toBe('it is curt');
  expect(reasonOf(aResult({ failure: { stage: 'grade', type: 'timeout', message: 'too late' } as never }))).toBe('too late');
  expect(reasonOf(aResult({ scores: [] }))).toBe('');
});
