import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { DatasetList } from '~/screens/datasets/DatasetList';

import { draw } from '../../render';
import { serve } from '../../server';
import { entry, me, page } from './samples';

const SIGNED_IN = { 'GET /api/auth/me': { body: me } };

test('a dataset is listed with its last evaluation', async () => {
  const last_run = { id: 'r1', status: 'completed', passed: 8, decided: 10, finished_at: null };
  serve({ ...SIGNED_IN, 'GET /api/eval/datasets': { body: page([{ ...entry, last_run }]) } });
  draw(<DatasetList />);
  const row = await screen.findByRole('row', { name: /Refunds/ });
  expect(within(row).getByRole('link', { name: 'Refunds' })).toHaveAttribute('href', '/datasets/d1');
  expect(within(row).getByRole('link', { name: /80% of 10 passed/ })).toHaveAttribute('href', '/runs/r1');
});

test('only those of a target, where one is named', async () => {
  const seen = serve({ ...SIGNED_IN, 'GET /api/eval/datasets': { body: page([]) } });
  draw(<DatasetList targetId="t1" />);
  expect(await screen.findByText('No dataset is made for this target yet')).toBeInTheDocument();
  expect(seen.some(({ url }) => new URL(url).searchParams.get('target_id') === 't1')).toBe(true);
});

test('where there is none, it says how to begin', async () => {
  const seen = serve({ ...SIGNED_IN, 'GET /api/eval/datasets': { body: page([]) }, 'GET /api/targets': { body: page([]) }, 'POST /api/eval/datasets': { status: 201, body: { ...entry, id: 'new' } } });
  const { router } = draw(<DatasetList />);
  await userEvent.click(await screen.findByRole('button', { name: 'Import a file' }));
  const dialog = await screen.findByRole('dialog', { name: 'Import a file' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create, then choose the file' }));
  expect(within(dialog).getByLabelText(/^Name/)).toHaveAccessibleDescription('Give it a name.');
  await userEvent.type(within(dialog).getByLabelText(/^Name/), ' From a file ');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Create, then choose the file' }));
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/datasets/new/import'));
  expect(await seen.find(({ method }) => method === 'POST')?.json()).toEqual({ name: 'From a file', description: '', target_id: null, judge_samples: 1 });
});

test('deleting asks first', async () => {
  const seen = serve({ ...SIGNED_IN, 'GET /api/eval/datasets': { body: page([entry]) }, 'DELETE /api/eval/datasets/d1': { status: 204 } });
  draw(<DatasetList />);
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Refunds' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete the dataset “Refunds”?' });
  expect(seen.filter(({ method }) => method === 'DELETE')).toHaveLength(0);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await vi.waitFor(() => expect(seen.filter(({ method }) => method === 'DELETE')).toHaveLength(1));
});
