import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import Runs from '~/screens/runs/Runs';

import { draw } from '../../render';
import { serve } from '../../server';
import { aRun, ME, page } from './samples';

const target = { id: 't', name: 'support', kind: 'agent', description: '', active: 3, versions: 3, created_at: '', updated_at: '', active_version: null };
const dataset = (id: string, runnable: boolean) => ({ id, name: id, description: '', runnable, case_count: 1, evaluator_count: 0, judge_samples: 1, last_run: null, target_id: null, updated_at: '' });

function open(start: { status: number; body: unknown }, address = '/runs?new=1') {
  const seen = serve({
    ...ME,
    'GET /api/eval/runs': { body: page([]) },
    'GET /api/targets': { body: page([target]) },
    'GET /api/targets/t': { body: target },
    'GET /api/targets/t/versions': { body: page([3, 2, 1].map((number) => ({ id: `v${number}`, number, note: '' }))) },
    'GET /api/eval/datasets': { body: page([dataset('drafts', false), dataset('refunds', true)]) },
    'GET /api/models': { body: { model: null, judge: { model: 'openai:judge', base_url: null }, providers: [] } },
    'POST /api/eval/runs': start,
  });
  return { seen, ...draw(<Runs />, address) };
}

const ready = () => vi.waitFor(() => expect(screen.getByRole('combobox', { name: /Version/ })).toHaveValue('v3 · active'));
const start = async () => userEvent.click(screen.getByRole('button', { name: 'Start' }));

test('the first dataset with a ready case is chosen, and starting leads to the run', async () => {
  const { seen, router } = open({ status: 202, body: aRun({ id: 'run-9' }) });
  await ready();
  expect(screen.getByRole('combobox', { name: 'Dataset' })).toHaveValue('refunds');
  await start();
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/runs/run-9'));
  expect(await seen.find(({ method }) => method === 'POST')?.json()).toEqual({ target_id: 't', dataset_id: 'refunds', concurrency: 5, trials: 1, seconds_per_case: 300, tags: [] });
});

test('the address chooses', async () => {
  const { seen } = open({ status: 202, body: aRun() }, '/runs?new=1&dataset=drafts&target=t');
  await ready();
  await start();
  await vi.waitFor(() => expect(seen.some(({ method }) => method === 'POST')).toBe(true));
  expect(await seen.find(({ method }) => method === 'POST')?.json()).toMatchObject({ dataset_id: 'drafts' });
});

test('the server’s faults stand at their fields, those without a field below', async () => {
  const faults = [
    { pointer: '/concurrency', detail: 'at most 10' },
    { pointer: '/dataset_id', detail: 'has no ready case' },
  ];
  open({ status: 422, body: { status: 422, code: 'invalid_input', title: 't', detail: 'both', errors: faults } });
  await ready();
  await start();
  expect(await screen.findByText('at most 10')).toBeInTheDocument();
  expect(screen.getByRole('textbox', { name: 'Concurrency' })).toBeInvalid();
  expect(screen.getByRole('combobox', { name: 'Dataset' })).toBeInvalid();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('an error without fields is shown whole', async () => {
  open({ status: 422, body: { status: 422, code: 'invalid_input', title: 't', detail: 'no judge model is set', errors: null } });
  await ready();
  await start();
  expect(await screen.findByRole('alert')).toHaveTextContent('no judge model is set');
});

test('closing takes the form out of the address', async () => {
  const { router } = open({ status: 202, body: aRun() });
  await ready();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(router.state.location.search).toBe('');
});
