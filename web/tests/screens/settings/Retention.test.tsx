import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { isTighter, limitOf } from '~/screens/settings/limits';
import Retention from '~/screens/settings/Retention';

import { draw } from '../../render';
import { serve } from '../../server';

const COUNTS = { since: '2026-01-01', spans: 1200, waiting_spans: 3, rejected_spans: 2, left_out_spans: 1, dropped_traces: 7 };

function drawRetention(role: string, stored = { days: 90, megabytes: null as number | null }) {
  const requests = serve({
    'GET /api/auth/me': { body: { role } },
    'GET /api/workspace/retention': { body: stored },
    'GET /api/workspace/ingestion': { body: COUNTS },
    'PUT /api/workspace/retention': { body: { days: 30, megabytes: null } },
  });
  draw(<Retention />);
  return requests;
}

/** The field, once it is known who is there. */
async function daysField() {
  const days = await screen.findByLabelText('Days');
  await expect.poll(() => days.hasAttribute('readonly')).toBe(false);
  return days;
}

test('a limit that lets something go is asked about first', async () => {
  const requests = drawRetention('owner');
  const days = await daysField();
  await userEvent.clear(days);
  await userEvent.type(days, '30');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(requests.some(({ method }) => method === 'PUT')).toBe(false);
  await userEvent.click(dialog.getByRole('button', { name: 'Delete what is beyond' }));
  await expect.poll(() => requests.some(({ method }) => method === 'PUT')).toBe(true);
  expect(await requests.find(({ method }) => method === 'PUT')?.json()).toEqual({ days: 30, megabytes: null });
});

test('keeping more is not', async () => {
  const requests = drawRetention('owner');
  await userEvent.clear(await daysField());
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await expect.poll(() => requests.some(({ method }) => method === 'PUT')).toBe(true);
  expect(await requests.find(({ method }) => method === 'PUT')?.json()).toEqual({ days: null, megabytes: null });
});

test('others see it, with what became of the spans', async () => {
  drawRetention('viewer');
  expect(await screen.findByLabelText('Days')).toHaveAttribute('readonly');
  expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
  expect(await screen.findByText('1,200')).toBeInTheDocument();
  expect(screen.getByText('Dropped traces')).toBeInTheDocument();
});

test('limits are whole numbers, or none', () => {
  expect([limitOf(''), limitOf('12'), limitOf(7), limitOf('x'), limitOf(0)]).toEqual([null, 12, 7, null, null]);
  expect(isTighter({ days: null, megabytes: 5 }, { days: 3, megabytes: null })).toBe(true);
  expect(isTighter({ days: null, megabytes: null }, { days: 3, megabytes: 5 })).toBe(false);
});
