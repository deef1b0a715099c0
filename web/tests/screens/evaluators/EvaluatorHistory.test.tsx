import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes } from 'react-router';
import { expect, test, vi } from 'vitest';

import EvaluatorHistory from '~/screens/evaluators/EvaluatorHistory';

import { draw } from '../../render';
import { serve } from '../../server';
import { kinds, me, page } from '../datasets/samples';

vi.setConfig({ testTimeout: 20_000 });

const AT = '2026-11-30T12:00:00Z';
const ONE = '/api/eval/evaluators/e1';
const saved = { id: 'e1', name: 'Has 30', description: '', spec: { kind: 'contains', text: '30 days' }, target_id: null, version: 3, datasets: 2, created_at: AT, updated_at: AT };
const version = (number: number, text: string, changes: object = {}) => ({ evaluator_id: 'e1', number, spec: { kind: 'contains', text }, note: '', restores: null, created_by: 'ann@example.org', created_at: AT, ...changes });
const VERSIONS = [version(3, '30 days', { restores: 1 }), version(2, 'thirty', { note: 'In words' }), version(1, '30 days', { created_by: '' })];
const SERVER = {
  'GET /api/auth/me': { body: me },
  'GET /api/eval/evaluator-kinds': { body: kinds },
  [`GET ${ONE}`]: { body: saved },
  [`GET ${ONE}/versions`]: { body: page(VERSIONS) },
  ...Object.fromEntries(VERSIONS.map((each) => [`GET ${ONE}/versions/${each.number}`, { body: each }])),
};

const open = (answers: Parameters<typeof serve>[0] = SERVER, search = '') => {
  const seen = serve(answers);
  const drawn = draw(
    <Routes>
      <Route path="/evaluators/:id/history" element={<EvaluatorHistory />} />
    </Routes>,
    `/evaluators/e1/history${search}`,
  );
  return { seen, ...drawn };
};

test('each version says what is new in it, and who saved it', async () => {
  open();
  const rows = (await screen.findAllByRole('row')).map((row) => row.textContent);
  expect(rows.find((row) => row.startsWith('Version 3'))).toMatch(/present.*Version 1 again.*ann@example.org/);
  expect(rows.find((row) => row.startsWith('Version 2'))).toMatch(/In words/);
  expect(rows.find((row) => row.startsWith('Version 1'))).toMatch(/The first one.*not known/);
});

test('the newest is compared with the one before, until others are chosen', async () => {
  const { router } = open();
  const changes = await screen.findByRole('region', { name: 'What changed' });
  expect(await within(changes).findByRole('row', { name: /Text.*thirty.*30 days/ })).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Actions of version 2' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'What changed' }));
  expect(router.state.location.search).toBe('?a=1&b=2');
  expect(await within(changes).findByRole('row', { name: /Text.*30 days.*thirty/ })).toBeInTheDocument();
});

test('two that say the same', async () => {
  open(SERVER, '?a=1&b=3');
  expect(await screen.findByText('Both say the same.', {}, { timeout: 5000 })).toBeInTheDocument();
});

test('restored after a question, unless somebody has changed it meanwhile', async () => {
  const { seen } = open({ ...SERVER, [`POST ${ONE}/versions/2/restore`]: { body: { ...saved, version: 4 } } });
  await userEvent.click(await screen.findByRole('button', { name: 'Actions of version 2' }));
  await vi.waitFor(() => expect(screen.getByRole('menuitem', { name: 'Restore' })).not.toHaveAttribute('aria-disabled'));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Restore' }));
  const dialog = await screen.findByRole('dialog', { name: 'Restore version 2?' });
  expect(dialog).toHaveTextContent('What it says becomes version 4 and counts in 2 datasets');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Restore' }));
  await vi.waitFor(() => expect(seen.find(({ method }) => method === 'POST')?.headers.get('if-match')).not.toBeNull());
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the present one is not restored, and the first has none before it', async () => {
  open();
  await userEvent.click(await screen.findByRole('button', { name: 'Actions of version 3' }));
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['What changed']);
  await userEvent.keyboard('{Escape}');
  await userEvent.click(screen.getByRole('button', { name: 'Actions of version 1' }));
  await vi.waitFor(() => expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['Restore']));
});

test('that of a deleted one can be read', async () => {
  const { [`GET ${ONE}`]: _, ...rest } = SERVER;
  open(rest as Parameters<typeof serve>[0]);
  expect(await screen.findByText(/This evaluator was deleted/)).toBeInTheDocument();
  expect(screen.getAllByRole('row')).not.toHaveLength(0);
  expect(screen.queryByRole('link', { name: 'Edit' })).toBeNull();
  await userEvent.click(await screen.findByRole('button', { name: 'Actions of version 2' }));
  expect((await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent)).toEqual(['What changed']);
});
