import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { expect, test, vi } from 'vitest';

import Evaluator from '~/screens/evaluators/Evaluator';
import { EvaluatorList } from '~/screens/evaluators/EvaluatorList';
import { groupOf, grouped } from '~/screens/evaluators/kinds';
import NewEvaluator from '~/screens/evaluators/NewEvaluator';
import { within as pointersWithin } from '~/screens/evaluators/specs';
import { ApiError } from '~/api/errors';

import { draw } from '../../render';
import { serve } from '../../server';
import { kinds, me, page, problem } from '../datasets/samples';

vi.setConfig({ testTimeout: 20_000 });

const saved = { id: 'e1', name: 'Has 30', description: '', spec: { kind: 'contains', text: '30' }, target_id: null, version: 1, datasets: 2, created_at: '2026-11-30T12:00:00Z', updated_at: '2026-11-30T12:00:00Z' };
const SERVER = { 'GET /api/auth/me': { body: me }, 'GET /api/eval/evaluator-kinds': { body: kinds } };
const ONE = '/api/eval/evaluators/e1';

const drawOne = () =>
  draw(
    <Routes>
      <Route path="/evaluators/:id" element={<Evaluator />} />
      <Route path="*" element={<p>elsewhere</p>} />
    </Routes>,
    '/evaluators/e1',
  );

test('kinds stand in their groups, and those of plug-ins last', () => {
  expect(grouped(kinds).map(({ group, kinds: found }) => [group, found.map(({ kind }) => kind)])).toEqual([
    ['exact', ['contains']],
    ['limits', ['latency']],
    ['code', ['python']],
    ['more', ['plugged']],
  ]);
  expect(groupOf('tool_call_args')).toBe('tools');
});

test('a kind that is not allowed says why, and cannot be chosen', async () => {
  serve(SERVER);
  draw(<NewEvaluator />);
  const python = await screen.findByRole('button', { name: /^Python/ });
  expect(python).toHaveAttribute('aria-disabled', 'true');
  expect(python).toHaveTextContent('which this server does not allow');
  await userEvent.click(python);
  expect(screen.queryByLabelText(/^Name/)).toBeNull();
});

test('a new one is saved, and leads to its page', async () => {
  const seen = serve({ ...SERVER, 'POST /api/eval/evaluators': { status: 201, body: saved } });
  const { router } = draw(<NewEvaluator />);
  await userEvent.click(await screen.findByRole('button', { name: /^Contains/ }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByLabelText(/^Name/)).toHaveAccessibleDescription('Give it a name.');
  await userEvent.type(screen.getByLabelText(/^Name/), 'Has 30');
  await userEvent.type(screen.getByLabelText(/^Text/), '30');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/evaluators/e1'));
  expect(await seen.find(({ method }) => method === 'POST')?.json()).toEqual({ name: 'Has 30', description: '', spec: { kind: 'contains', text: '30' }, target_id: null });
});

test('an answer can be graded without saving anything', async () => {
  const score = { evaluator: 'contains', kind: 'contains', weight: 1, value: 0, verdict: 'fail', explanation: 'it does not contain 30', threshold: null, details: null, samples: [], disagreed: false, failure: null, usage: {}, seconds: 0 };
  const seen = serve({ ...SERVER, [`GET ${ONE}`]: { body: saved }, 'POST /api/eval/grade': { body: score } });
  drawOne();
  const part = await screen.findByRole('region', { name: 'Try it' });
  await userEvent.type(within(part).getByLabelText('An answer'), 'within 40 days');
  await userEvent.click(within(part).getByRole('button', { name: 'Grade this answer' }));
  expect(await within(part).findByText('it does not contain 30')).toBeInTheDocument();
  expect(within(part).getByText('fail')).toBeInTheDocument();
  expect(await seen.find(({ method }) => method === 'POST')?.json()).toMatchObject({ evaluator: saved.spec, output: 'within 40 days' });
});

test('somebody else’s change is not overwritten without asking', async () => {
  const seen = serve({ ...SERVER, [`GET ${ONE}`]: { body: saved }, [`PUT ${ONE}`]: (request) => (request.headers.has('if-match') ? problem(412, 'changed') : { body: saved }) });
  drawOne();
  await userEvent.type(await screen.findByLabelText(/^Text/), '!');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Write mine over it' }));
  await vi.waitFor(() => expect(seen.filter(({ method }) => method === 'PUT').map(({ headers }) => headers.has('if-match'))).toEqual([true, false]));
});

test('what is new is asked for once something is, and told as a version', async () => {
  const seen = serve({ ...SERVER, [`GET ${ONE}`]: { body: saved }, [`PUT ${ONE}`]: { body: { ...saved, version: 2 } } });
  drawOne();
  expect(await screen.findByText('Version 1')).toBeInTheDocument();
  await userEvent.type(screen.getByLabelText('Description'), 'Why');
  expect(screen.queryByLabelText('What is new in version 2')).toBeNull();
  await userEvent.type(screen.getByLabelText(/^Text/), ' days');
  await userEvent.type(screen.getByLabelText('What is new in version 2'), 'Stricter');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(seen.some(({ method }) => method === 'PUT')).toBe(true));
  expect(await seen.find(({ method }) => method === 'PUT')?.json()).toEqual({ name: 'Has 30', description: 'Why', spec: { kind: 'contains', text: '30 days' }, target_id: null, note: 'Stricter' });
});

test('one that is bound is not deleted, and its datasets are named', async () => {
  serve({ ...SERVER, 'GET /api/eval/evaluators': { body: page([saved]) }, [`DELETE ${ONE}`]: problem(409, 'bound to datasets: Refunds, Claims') });
  draw(<EvaluatorList />);
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Has 30' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete the evaluator “Has 30”?' });
  expect(dialog).toHaveTextContent('2 datasets bind it');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  expect(await within(dialog).findByText('bound to datasets: Refunds, Claims')).toBeInTheDocument();
});

test('pointers are taken from the part that was sent', () => {
  const error = pointersWithin(new ApiError(422, 'c', 't', '/3/spec/text: is odd', [{ pointer: '/3/spec/text', detail: 'is odd' }]), '/3/spec');
  expect(error).toMatchObject({ detail: 'is odd', errors: [{ pointer: '/text', detail: 'is odd' }] });
});
