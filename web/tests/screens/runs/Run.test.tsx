import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter } from 'react-router';
import { expect, test, vi } from 'vitest';

import Run from '~/screens/runs/Run';
import type { Result, Run as RunType } from '~/screens/runs/runQueries';

import { drawRoutes } from '../../render';
import { serve } from '../../server';
import { aResult, aRun, ME, page } from './samples';

const PLANNING = {
  run_id: 'run-1', rate: 0.8, assumed: false, decided: 5, half_width: 0.35, left_out: [],
  widths: [
    { half_width: 0.2, cases: 15, more: 10 },
    { half_width: 0.1, cases: 60, more: 55 },
    { half_width: 0.05, cases: 246, more: 241 },
  ],
};

/** Draws the run's page; whatever it leads to is an empty page. */
function open(run: RunType, results: Result[] = [aResult()], more: Parameters<typeof serve>[0] = {}) {
  const seen = serve({
    ...ME,
    'GET /api/eval/runs/run-1': { body: run },
    'GET /api/eval/runs/run-1/results': { body: page(results) },
    'GET /api/eval/runs': { body: page([run]) },
    'GET /api/eval/runs/run-1/planning': { body: PLANNING },
    ...more,
  });
  const router = createMemoryRouter([{ path: '/runs/:id', element: <Run /> }, { path: '*', element: null }], { initialEntries: ['/runs/run-1'] });
  return { seen, ...drawRoutes(router) };
}

test('the headline says the rate, the interval, what it means, and what the errors are', async () => {
  open(aRun());
  const result = await screen.findByRole('region', { name: 'Result of the run' });
  expect(result).toHaveTextContent('4/5 passed (95% CI 30–100%)');
  expect(result).toHaveTextContent('could be as low as 30% or as high as 100% (95% confidence): this run cannot rule out either.');
  expect(result).toHaveTextContent('The result that ended in an error is in no rate.');
  expect(screen.getByText(/1 × timeout/)).toHaveTextContent('67% if all were fails, 83% if all were passes');
  expect(screen.getByText('p50 1 sec, p95 2 sec')).toBeInTheDocument();
});

test('how many more cases narrow the interval is told for the width that one chooses', async () => {
  open(aRun());
  expect(await screen.findByText('About 55 more cases')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('radio', { name: '±5' }));
  expect(screen.getByText('About 241 more cases')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Add cases' })).toHaveAttribute('href', '/datasets/d?case=new');
});

test('skipped parts are named only where there are any', async () => {
  open(aRun({ skipped: ['mcp server "crm"'] }));
  expect(await screen.findByText(/Left out: mcp server "crm"/)).toBeInTheDocument();
});

test('a whole run shows no notice', async () => {
  open(aRun());
  await screen.findByRole('heading', { name: 'Results' });
  expect(screen.queryByRole('alert')).toBeNull();
});

test.each([
  [{ status: 'failed', reason: 'no judge model is set' }, 'no judge model is set'],
  [{ status: 'cancelled', reason: 'the budget of $1 is used up' }, 'the budget of $1 is used up'],
  [{ status: 'running', interrupted: true, summary: null }, 'Its process ended before it was done.'],
] as [Partial<RunType>, string][])('a run that stopped says why: %j', async (changes, words) => {
  open(aRun(changes));
  expect(await screen.findByText(new RegExp(words.replace('$', '\\$')))).toBeInTheDocument();
});

test('a row opens in place, and its texts stay text', async () => {
  open(aRun(), [aResult({ input: '<script>alert(1)</script>', disagreed: true })]);
  const row = await screen.findByRole('button', { name: /<script>/ });
  expect(row).toHaveTextContent('judge disagreed');
  await userEvent.click(row);
  expect(screen.getByRole('region', { name: 'Prompt' })).toHaveTextContent('<script>alert(1)</script>');
  expect(screen.getByRole('link', { name: 'Open the result' })).toHaveAttribute('href', '/runs/run-1/results/c1?at=0');
});

test('the filter stands in the address and is asked for', async () => {
  const { seen, router } = open(aRun());
  await userEvent.click(await screen.findByRole('radio', { name: 'Failed 1' }));
  expect(router.state.location.search).toBe('?verdict=fail');
  await vi.waitFor(() => expect(seen.some(({ url }) => url.includes('verdict=fail'))).toBe(true));
});

test('retrying errors leads to the new run', async () => {
  const { seen, router } = open(aRun(), [aResult()], { 'POST /api/eval/runs/run-1/retry': { status: 202, body: aRun({ id: 'run-2' }) } });
  await userEvent.click(await screen.findByRole('button', { name: 'Run again' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Retry 1 error' }));
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/runs/run-2'));
  expect(await seen.find(({ method }) => method === 'POST')?.json()).toEqual({ verdicts: ['error'] });
});

test('exports are plain links', async () => {
  open(aRun());
  await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
  expect(await screen.findByRole('menuitem', { name: 'JUnit XML, for CI' })).toHaveAttribute('href', '/api/eval/runs/run-1/export?format=junit');
});

test('deleting asks first', async () => {
  const { router } = open(aRun(), [aResult()], { 'DELETE /api/eval/runs/run-1': { status: 204 } });
  await userEvent.click(await screen.findByRole('button', { name: 'Delete' }));
  await userEvent.click(within(await screen.findByRole('dialog', { name: 'Delete this run?' })).getByRole('button', { name: 'Delete' }));
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/runs'));
});

test('a refused action says why', async () => {
  open(aRun(), [aResult()], { 'POST /api/eval/runs/run-1/regrade': { status: 409, body: { status: 409, code: 'conflict', title: 'Conflict', detail: 'the dataset is gone', errors: null } } });
  await userEvent.click(await screen.findByRole('button', { name: 'Run again' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Regrade the same answers' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('the dataset is gone');
});
