import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import type { Schemas } from '~/api/client';
import { UsageByModel } from '~/screens/usage/UsageTables';

import { draw } from '../../render';

test('a cost that is not known is never 0', () => {
  const usage = { calls: 3, input_tokens: 5, output_tokens: null, cost: null, unpriced: 3 };
  const models = [
    { model: 'openai:a', side: 'target', usage },
    { model: '', side: 'judge', usage: { ...usage, cost: 1.5, unpriced: 1 } },
  ];
  draw(<UsageByModel report={{ models } as unknown as Schemas['UsageReport']} />);
  const rows = screen.getAllByRole('row').map((row) => row.textContent);
  expect(rows[1]).toBe('openai:aTargets35unknownunknown3 calls without a known price');
  expect(rows[2]).toBe('not namedJudges35unknownat least $1.501 call without a known price');
});
