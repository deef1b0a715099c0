import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { ExecutionList } from '~/screens/executions/ExecutionList';

import { draw } from '../../render';
import { serve } from '../../server';

const USAGE = { calls: 1, input_tokens: 3, output_tokens: 4, cost: null, unpriced: 1 };
const ENTRY = { id: 'e1', target_id: 't1', target_name: 'Helper', version: 2, source: 'runner', run_id: null, case_key: null, created_at: '2026-01-02T03:04:05Z', status: 'error', input: '<b>Hello</b>', output: null, failure: { stage: 'invoke', type: 'timeout', message: 'slow' }, latency: 1.5, usage: USAGE };
const page = (items: unknown[]) => ({ body: { items, total: items.length, page: 1, size: 20, pages: 1 } });

test('a row tells where it came from and what came of it, and leads to its page', async () => {
  serve({ 'GET /api/executions': page([ENTRY]) });
  draw(<ExecutionList />);
  const row = (await screen.findByText('<b>Hello</b>')).closest('tr');
  expect(row).toHaveTextContent(/Runner · Helper v2.*error · timeout.*no answer.*1\.5 sec.*7/);
  expect(row?.querySelector('a')).toHaveAttribute('href', '/executions/e1');
});

test('filters live in the address and go to the server', async () => {
  const requests = serve({ 'GET /api/executions': page([ENTRY]) });
  const { router } = draw(<ExecutionList targetId="t1" />, '/?source=runner&time=24h&status=nonsense');
  await screen.findByText('<b>Hello</b>');
  const asked = new URL(requests[0]?.url ?? '').searchParams;
  expect([asked.get('target_id'), asked.get('source'), asked.get('status')]).toEqual(['t1', 'runner', null]);
  expect(Date.now() - Date.parse(asked.get('since') ?? '')).toBeGreaterThanOrEqual(86_400_000);
  await userEvent.click(screen.getByRole('combobox', { name: 'Result' }));
  await userEvent.click(await screen.findByRole('option', { name: 'error' }));
  expect(router.state.location.search).toContain('status=error');
});

test('where nothing was run it says what to do', async () => {
  serve({ 'GET /api/executions': page([]) });
  draw(<ExecutionList />);
  expect(await screen.findByText('Nothing was run yet')).toBeInTheDocument();
});
