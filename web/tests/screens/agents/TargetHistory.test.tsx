import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, Outlet } from 'react-router';
import { expect, test } from 'vitest';

import TargetHistory from '~/screens/agents/TargetHistory';
import type { Run } from '~/screens/runs/runQueries';

import { drawRoutes } from '../../render';
import { serve } from '../../server';
import { aRun, ME, page } from '../runs/samples';

const TARGET = { value: { id: 't', active: 2 }, etag: '"1"' };
const run = (id: string, version: number, day: number, changes: Partial<Run> = {}) => aRun({ id, target_version: version, finished_at: `2026-01-0${day}T10:00:00Z`, ...changes });
const RUNS = [run('third', 1, 3), run('second', 2, 2), run('first', 1, 1, { spec: { ...aRun().spec, complete: false } })];

function open(address = '/', runs: Run[] = RUNS) {
  const seen = serve({ ...ME, 'GET /api/eval/runs': { body: page(runs) } });
  const router = createMemoryRouter([{ element: <Outlet context={TARGET} />, children: [{ path: '/', element: <TargetHistory /> }] }], { initialEntries: [address] });
  return { seen, ...drawRoutes(router) };
}

const rows = () => within(screen.getByRole('table', { name: 'Figures of the plot' })).getAllByRole('link').map((link) => link.getAttribute('href'));

test('complete evaluations stand in the plot and, the last first, in the table', async () => {
  open();
  expect(await screen.findByRole('img', { name: /Pass rate of the evaluations on Refunds/ })).toBeInTheDocument();
  expect(rows()).toEqual(['/runs/third', '/runs/second']);
  expect(within(screen.getByRole('list', { name: 'Marks of the versions' })).getAllByRole('listitem').map((item) => item.textContent)).toEqual(['v1', 'v2']);
});

test('by version, and with partial ones, when somebody wants that', async () => {
  const { router } = open('/?by=version');
  await screen.findByRole('img');
  expect(rows()).toEqual(['/runs/second', '/runs/third']);
  await userEvent.click(screen.getByRole('switch', { name: 'Partial evaluations too' }));
  await waitFor(() => expect(rows()).toEqual(['/runs/second', '/runs/third', '/runs/first']));
  expect(router.state.location.search).toContain('partial=1');
});

test('two rows are chosen as A and B, and lead to their comparison', async () => {
  open();
  await userEvent.click(await screen.findByRole('radio', { name: /^A, the baseline: v2/ }));
  await userEvent.click(screen.getByRole('radio', { name: /^B: v1/ }));
  const chosen = screen.getByRole('region', { name: 'Evaluations chosen for comparing' });
  expect(within(chosen).getByRole('link', { name: 'Compare' })).toHaveAttribute('href', '/compare?a=second&b=third');
  await userEvent.click(within(chosen).getByRole('button', { name: 'Swap' }));
  expect(within(chosen).getByRole('link', { name: 'Compare' })).toHaveAttribute('href', '/compare?a=third&b=second');
});

test('without an evaluation it says how to begin', async () => {
  open('/', []);
  expect(await screen.findByRole('heading', { name: 'Nothing to plot yet' })).toBeInTheDocument();
});
