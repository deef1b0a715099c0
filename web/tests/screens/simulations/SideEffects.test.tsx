import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import Runs from '~/screens/runs/Runs';
import type { Simulations } from '~/screens/simulations/simulations';

import { draw } from '../../render';
import { serve } from '../../server';
import { aRun, ME, page } from '../runs/samples';
import { APPROVE, REFUND, SUM } from './samples';

vi.setConfig({ testTimeout: 20_000 });

const target = { id: 't', name: 'support', kind: 'workflow', description: '', active: 1, versions: 1, created_at: '', updated_at: '', active_version: null };
const entry = { id: 'd', name: 'refunds', description: '', runnable: true, case_count: 1, evaluator_count: 0, judge_samples: 1, last_run: null, target_id: 't', updated_at: '' };
const PAID: Simulations = { refund: { kind: 'static', answers: [{ output: 'done', when: [] }] }, approve: { kind: 'generated', description: 'Agrees.' } };
const REFUSED = 'what changes the world is not simulated: refund (case a), refund (case b) and 3 others; simulate it on the dataset or on the case, or allow it (allow_side_effects, --allow-side-effects)';

function open(simulations: Simulations, start: { status: number; body: unknown } = { status: 202, body: aRun({ id: 'run-9' }) }) {
  const seen = serve({
    ...ME,
    'GET /api/eval/runs': { body: page([]) },
    'GET /api/targets': { body: page([target]) },
    'GET /api/targets/t': { body: target },
    'GET /api/targets/t/versions': { body: page([{ id: 'v1', number: 1, note: '' }]) },
    'GET /api/targets/t/components': { body: { tools: [APPROVE, REFUND, SUM], skipped: [] } },
    'GET /api/eval/datasets': { body: page([entry]) },
    'GET /api/eval/datasets/d': { body: { ...entry, bindings: [], simulations } },
    'GET /api/models': { body: { model: null, judge: null, providers: [] } },
    'POST /api/eval/runs': start,
  });
  draw(<Runs />, '/runs?new=1');
  return async () => (await vi.waitFor(() => seen.find(({ method }) => method === 'POST') ?? Promise.reject(new Error('nothing sent')))).clone().json() as Promise<unknown>;
}

const allow = () => screen.findByRole('switch', { name: /Allow side effects/ });
const ready = () => vi.waitFor(() => expect(screen.getByRole('combobox', { name: /Version/ })).toHaveValue('v1 · active'));
const start = () => userEvent.click(screen.getByRole('button', { name: 'Start' }));

test('side effects are allowed where they are not simulated, with a warning', async () => {
  const body = open({});
  await userEvent.click(await allow());
  expect(screen.getByText('They will act for real')).toBeInTheDocument();
  expect(screen.getByText(/^approve is done by a person/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Simulations of the dataset' })).toHaveAttribute('href', '/datasets/d/simulations?target=t');
  await start();
  expect(await body()).toMatchObject({ allow_side_effects: true });
});

test('nobody is asked where all is simulated', async () => {
  const body = open(PAID);
  await ready();
  await start();
  expect(await body()).not.toHaveProperty('allow_side_effects');
  expect(screen.queryByRole('switch', { name: /Allow side effects/ })).toBeNull();
});

test('a refusal names what and where, and leads to the simulations', async () => {
  open(PAID, { status: 422, body: { status: 422, code: 'invalid_input', title: 't', detail: REFUSED, errors: null } });
  await ready();
  await start();
  const alert = await screen.findByRole('alert');
  expect(within(alert).getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['refund in a, b', 'and 3 more places']);
  expect(within(alert).getByRole('link')).toHaveAttribute('href', '/datasets/d/simulations?target=t');
  // Another version may have side effects that the active one has not.
  await userEvent.click(await allow());
  expect(screen.queryByRole('alert')).toBeNull();
});
