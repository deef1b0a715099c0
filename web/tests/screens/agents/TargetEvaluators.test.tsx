import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, Outlet } from 'react-router';
import { expect, test, vi } from 'vitest';

import TargetEvaluators from '~/screens/agents/TargetEvaluators';

import { drawRoutes } from '../../render';
import { serve } from '../../server';
import { kinds, me, page } from '../datasets/samples';

vi.setConfig({ testTimeout: 20_000 });

const AT = '2026-11-30T12:00:00Z';
const TARGET = { value: { id: 't', kind: 'agent', name: 'bot' }, etag: '"1"' };
const evaluator = (id: string, name: string, datasets = 1) => ({ id, name, description: '', spec: { kind: 'latency', max: 5 }, target_id: 't', version: 2, datasets, created_at: AT, updated_at: AT });
const bound = (evaluator_id: string | null, name: string, weight = 1) => ({ evaluator_id, name, weight, spec: { kind: 'latency', max: 5 }, version: evaluator_id ? 2 : null });
const DATASETS = [
  { id: 'd1', name: 'Questions', evaluators: [bound('e1', 'Fast'), bound(null, 'Own rule', 0)] },
  { id: 'd2', name: 'Edge cases', evaluators: [] },
];
const POST = 'POST /api/targets/t/default-evaluators';
const one = (id: string) => `/api/eval/datasets/${id}/evaluators`;

function open(answers: Parameters<typeof serve>[0] = {}, items = [evaluator('e1', 'Fast', 3)], datasets: object[] = DATASETS) {
  const seen = serve({
    'GET /api/auth/me': { body: me },
    'GET /api/eval/evaluator-kinds': { body: kinds },
    'GET /api/eval/evaluators': { body: page(items) },
    'GET /api/targets/t/evaluators': { body: page(datasets) },
    [`GET ${one('d1')}`]: { body: DATASETS[0]?.evaluators },
    [`GET ${one('d2')}`]: { body: [] },
    [`PUT ${one('d1')}`]: { body: [] },
    [`PUT ${one('d2')}`]: { body: [] },
    ...answers,
  });
  const router = createMemoryRouter([{ element: <Outlet context={TARGET} />, children: [{ path: '/', element: <TargetEvaluators /> }] }]);
  const put = async () => (await vi.waitFor(() => seen.find(({ method }) => method === 'PUT') ?? Promise.reject(new Error('nothing sent')))).clone();
  return { seen, put, ...drawRoutes(router) };
}

test('what grades the target, with the datasets of others and what is written on one', async () => {
  const { seen } = open();
  const list = await screen.findByRole('region', { name: 'Evaluators' });
  expect(await within(list).findByLabelText('Weight of Fast in Questions')).toHaveValue('1');
  expect(within(list).getByText('Bound by 2 datasets of other targets.')).toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'Written on one dataset' })).toHaveTextContent(/Own rule.*informs without deciding.*Questions/);
  expect(seen.every(({ method }) => method === 'GET')).toBe(true);
});

test('a weight is changed where it stands, and what else is bound stays', async () => {
  const { put } = open();
  const weight = await screen.findByLabelText('Weight of Fast in Questions');
  await vi.waitFor(() => expect(weight).toBeEnabled());
  await userEvent.clear(weight);
  await userEvent.type(weight, '0{Enter}');
  const sent = await put();
  expect(new URL(sent.url).pathname).toBe(one('d1'));
  expect(sent.headers.get('if-match')).not.toBeNull();
  expect(await sent.json()).toEqual([
    { evaluator_id: 'e1', weight: 0 },
    { name: 'Own rule', weight: 0, spec: { kind: 'latency', max: 5 } },
  ]);
});

test('bound to another dataset, and taken off one', async () => {
  const first = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Bind to a dataset: Fast' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Edge cases' }));
  const sent = await first.put();
  expect(new URL(sent.url).pathname).toBe(one('d2'));
  expect(await sent.json()).toEqual([{ evaluator_id: 'e1', weight: 1 }]);
  first.unmount();
  const second = open();
  const off = await screen.findByRole('button', { name: 'Take Fast off Questions' });
  await vi.waitFor(() => expect(off).toBeEnabled());
  await userEvent.click(off);
  expect(await (await second.put()).json()).toEqual([{ name: 'Own rule', weight: 0, spec: { kind: 'latency', max: 5 } }]);
});

test('a target without any gets the default ones, once, and it is said', async () => {
  const created = [evaluator('e1', 'output_judge · bot'), evaluator('e2', 'exact_match · bot')];
  const { seen } = open({ [POST]: { status: 201, body: { created, dataset: { id: 'd9', name: 'bot cases', evaluators: [] }, dataset_created: true } } }, [], []);
  expect(await screen.findByText('2 evaluators were made for this target')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'bot cases' })).toHaveAttribute('href', '/datasets/d9');
  expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('one whose datasets bind something is left alone', async () => {
  const { seen } = open({}, [], [DATASETS[0] ?? {}]);
  expect(await screen.findByText('No evaluators yet')).toBeInTheDocument();
  expect(screen.getByText('Own rule')).toBeInTheDocument();
  expect(seen.some(({ method }) => method === 'POST')).toBe(false);
});

test('a viewer makes none, and is told why there are none', async () => {
  const { seen } = open({ 'GET /api/auth/me': { body: { ...me, role: 'viewer' } } }, [], []);
  expect(await screen.findByText(/made once somebody who may edit opens this view/)).toBeInTheDocument();
  expect(seen.some(({ method }) => method === 'POST')).toBe(false);
});

test('a viewer sees the weights and changes none', async () => {
  open({ 'GET /api/auth/me': { body: { ...me, role: 'viewer' } } });
  expect(await screen.findByLabelText('Weight of Fast in Questions')).toBeDisabled();
  expect(screen.queryByRole('button', { name: 'Bind to a dataset: Fast' })).toBeNull();
});
