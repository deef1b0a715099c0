import { Button } from '@mantine/core';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { RunSuite } from '~/screens/runs/RunSuite';

import { draw } from '../../render';
import { serve } from '../../server';
import { aRun, ME, page } from './samples';

const VERSIONS = [
  { id: 'v2', number: 2, note: 'Shorter' },
  { id: 'v1', number: 1, note: null },
];

function open(more: Parameters<typeof serve>[0] = {}, version?: number) {
  const seen = serve({
    ...ME,
    'GET /api/targets/t': { body: { id: 't', name: 'support', active: 1 } },
    'GET /api/targets/t/versions': { body: page(VERSIONS) },
    'GET /api/eval/datasets/d/cases': { body: { ...page([]), total: 7 } },
    ...more,
  });
  const drawn = draw(
    <RunSuite targetId="t" version={version} dataset={{ id: 'd', name: 'Refunds', judge_samples: 3 }}>
      {(show, gate) => (
        <Button onClick={show} {...gate}>
          {'open'}
        </Button>
      )}
    </RunSuite>,
  );
  return { seen, ...drawn };
}

test('it starts every enabled case against the active version, and leads to the run', async () => {
  const { seen, router } = open({ 'POST /api/eval/runs': { status: 202, body: aRun({ id: 'new' }) } });
  await userEvent.click(await screen.findByRole('button', { name: 'open' }));
  expect(await screen.findByText(/7 cases that are on and ready/)).toHaveTextContent('Each judge is asked 3 times.');
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Version' })).toHaveValue('v1 · active'));
  await userEvent.click(screen.getByRole('button', { name: 'Run' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/runs/new'));
  expect(await seen.find(({ method }) => method === 'POST')?.json()).toEqual({ target_id: 't', dataset_id: 'd' });
});

test('another version can be chosen before', async () => {
  const { seen } = open({ 'POST /api/eval/runs': { status: 202, body: aRun({ id: 'new' }) } }, 2);
  await userEvent.click(await screen.findByRole('button', { name: 'open' }));
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Version' })).toHaveValue('v2 · Shorter'));
  await userEvent.click(screen.getByRole('button', { name: 'Run' }));
  await waitFor(async () => expect(await seen.find(({ method }) => method === 'POST')?.clone().json()).toMatchObject({ version: 2 }));
});

test('a refusal is told where one is', async () => {
  open({ 'POST /api/eval/runs': { status: 422, body: { status: 422, code: 'invalid_input', title: 'x', detail: 'case a has nothing to grade it', errors: null } } });
  await userEvent.click(await screen.findByRole('button', { name: 'open' }));
  await screen.findByText(/7 cases/);
  await userEvent.click(screen.getByRole('button', { name: 'Run' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('case a has nothing to grade it');
});
