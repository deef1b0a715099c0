import { screen, within } from '@testing-library/react';
import { createMemoryRouter } from 'react-router';
import { expect, test } from 'vitest';

import Schedule from '~/screens/schedules/Schedule';

import { drawRoutes } from '../../render';
import { serve } from '../../server';
import { aRun } from '../runs/samples';
import { aFiring, aNotice, aSchedule, me, page, problem } from './samples';

function open(more: Parameters<typeof serve>[0] = {}) {
  serve({
    'GET /api/auth/me': me(),
    'GET /api/eval/schedules/s1': { body: aSchedule({ last: aFiring() }) },
    'GET /api/eval/schedules/s1/firings': page([aFiring(), aFiring({ id: 'f0', status: 'failed', run_id: null, reason: 'no judge' })]),
    'GET /api/eval/runs': page([aRun({ schedule_id: 's1' }), aRun({ id: 'other', schedule_id: 's2' })]),
    'GET /api/notices': page([aNotice()], { unread: 1 }),
    ...more,
  });
  drawRoutes(createMemoryRouter([{ path: 'schedules/:id', element: <Schedule /> }], { initialEntries: ['/schedules/s1'] }));
}

test('what it runs and when, its rates, its notices, and each firing', async () => {
  open();
  expect(await screen.findByRole('heading', { name: 'nightly' })).toBeInTheDocument();
  expect(screen.getByText('0 7 * * 1-5')).toBeInTheDocument();
  expect(await screen.findByRole('img', { name: 'Pass rate of the runs of nightly over time' })).toBeInTheDocument();
  expect(await screen.findByRole('heading', { name: /The pass rate dropped/ })).toBeInTheDocument();
  const firings = within(await screen.findByRole('table', { name: 'Firings' }));
  expect(firings.getByRole('link', { name: /Open the run of/ })).toHaveAttribute('href', '/runs/run-1');
  expect(firings.getByText('80%')).toBeInTheDocument();
  expect(firings.getByText('no judge')).toBeInTheDocument();
});

test('one that never fired says so', async () => {
  open({ 'GET /api/eval/schedules/s1': { body: aSchedule() }, 'GET /api/eval/schedules/s1/firings': page([]), 'GET /api/notices': page([], { unread: 0 }) });
  expect(await screen.findByText('It has not fired yet')).toBeInTheDocument();
  expect(await screen.findByText(/It has told nothing yet/)).toBeInTheDocument();
});

test('one that is not there', async () => {
  open({ 'GET /api/eval/schedules/s1': problem(404, "there is no schedule 's1'") });
  expect(await screen.findByText("there is no schedule 's1'")).toBeInTheDocument();
});
