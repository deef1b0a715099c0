import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import Runs from '~/screens/runs/Runs';

import { draw } from '../../render';
import { serve } from '../../server';
import { aRun, ME, page } from './samples';

const lists = { 'GET /api/targets': { body: page([]) }, 'GET /api/eval/datasets': { body: page([]) } };

test('a run tells its rate, errors and who started it', async () => {
  serve({ ...ME, ...lists, 'GET /api/eval/runs': { body: page([aRun()]) } });
  draw(<Runs />, '/runs');
  const row = (await screen.findByRole('link', { name: /support v2/ })).closest('tr') as HTMLElement;
  expect(row).toHaveTextContent('Refunds');
  expect(row).toHaveTextContent('4/5 passed (95% CI 30–100%)');
  expect(row).toHaveTextContent('ada');
  expect(within(row).getByRole('cell', { name: '1' })).toBeInTheDocument();
});

test('two runs are compared, the older one as the baseline', async () => {
  serve({ ...ME, ...lists, 'GET /api/eval/runs': { body: page([aRun({ id: 'new', created_at: '2026-02-01T00:00:00Z' }), aRun({ id: 'old' })]) } });
  draw(<Runs />, '/runs');
  for (const box of await screen.findAllByRole('checkbox')) await userEvent.click(box);
  expect(screen.getByRole('link', { name: 'Compare' })).toHaveAttribute('href', '/compare?a=old&b=new');
});

test('filters of the address are asked for', async () => {
  const seen = serve({ ...ME, ...lists, 'GET /api/eval/runs': { body: page([]) } });
  draw(<Runs />, '/runs?status=failed&dataset=d&q=ref');
  await vi.waitFor(() => expect(seen.some(({ url }) => url.includes('/api/eval/runs?') && url.includes('status=failed') && url.includes('dataset_id=d') && url.includes('q=ref'))).toBe(true));
  expect(await screen.findByText('Nothing matches. Change the search or the filters.')).toBeInTheDocument();
});

test('without any run it says how to begin', async () => {
  serve({ ...ME, ...lists, 'GET /api/eval/runs': { body: page([]) } });
  draw(<Runs />, '/runs');
  expect(await screen.findByRole('heading', { name: 'No run yet' })).toBeInTheDocument();
});
