import { describe, expect, test } from 'vitest';

import type { Schemas } from '~/api/client';
import { tokensOf } from '~/screens/usage/cost';
import { daysBefore, daysBetween, periodOf } from '~/screens/usage/period';
import { usageSeries } from '~/screens/usage/usageSeries';
import type { ListParams } from '~/ui/listParams';

const params = (values: Record<string, string>) => ({ filter: (name: string) => values[name] ?? null }) as ListParams;
const used = (calls: number, cost: number | null, unpriced = 0) => ({ calls, input_tokens: calls * 10, output_tokens: null, cost, unpriced });

describe('a period', () => {
  test('is 30 days until another is chosen', () => {
    expect(periodOf(params({}), '2026-03-01')).toEqual({ preset: '30', since: '2026-01-31', until: '2026-03-01' });
    expect(periodOf(params({ period: '7' }), '2026-03-01')).toMatchObject({ since: '2026-02-23' });
  });

  test('of one’s own takes what the address names', () => {
    expect(periodOf(params({ period: 'own', since: '2026-01-01', until: 'nonsense' }), '2026-03-01')).toEqual({ preset: 'own', since: '2026-01-01', until: '2026-03-01' });
  });

  test('has every day, both ends included', () => {
    expect(daysBetween('2026-02-27', '2026-03-01')).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
    expect(daysBefore('2026-03-01', 1)).toBe('2026-02-28');
  });
});

describe('the series of a measure', () => {
  const report = {
    since: '2026-01-01',
    until: '2026-01-03',
    days: [
      { day: '2026-01-01', side: 'target', usage: used(2, 0.5) },
      { day: '2026-01-01', side: 'judge', usage: used(1, null, 1) },
      { day: '2026-01-02', side: 'target', usage: used(3, null, 3) },
    ],
  } as unknown as Schemas['UsageReport'];

  test('a day without calls is 0; what is not known is a gap', () => {
    expect(usageSeries(report, 'calls')).toMatchObject({ target: [2, 3, 0], both: [3, 3, 0], gaps: false });
    expect(usageSeries(report, 'cost')).toMatchObject({ target: [0.5, null, 0], both: [0.5, 0, 0], gaps: true });
  });
});

test('tokens of which one part is known are that part', () => {
  expect([tokensOf(used(2, null)), tokensOf({ ...used(2, null), input_tokens: null })]).toEqual([20, null]);
});
