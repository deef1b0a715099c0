import { expect, test } from 'vitest';

import { FOLDED, rowsOf } from '~/screens/compare/sections';

const pair = (case_key: string, change: string) => ({ case_key, trial: 0, change, a: 'pass', b: 'fail', score_a: 1, score_b: 0, may_be_noise: false, why: null });
const comparison = { pairs: [pair('u', 'unchanged'), pair('b', 'better'), pair('w', 'worse')], added: ['new'], removed: [] } as unknown as Parameters<typeof rowsOf>[0];

test('what got worse comes first, what did not change is folded, empty sections are left out', () => {
  const rows = rowsOf(comparison, FOLDED);
  expect(rows.map((row) => (row.kind === 'head' ? `${row.section} ${row.count}` : row.kind))).toEqual(['worse 1', 'pair', 'better 1', 'pair', 'added 1', 'key', 'unchanged 1']);
});

test('a section unfolds', () => {
  expect(rowsOf(comparison, new Set()).at(-1)).toMatchObject({ kind: 'pair', pair: { case_key: 'u' } });
});
