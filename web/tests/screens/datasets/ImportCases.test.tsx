import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import ImportCases from '~/screens/datasets/ImportCases';
import { placeOf } from '~/screens/datasets/importing';

import { draw } from '../../render';
import { serve } from '../../server';
import { me, problem, stored } from './samples';
import { WithinDataset } from './withinDataset';

const IMPORT = 'POST /api/eval/datasets/d1/import';
const preview = { given: 2, new: 1, changed: 1, unchanged: 0, removed: 0, unknown_columns: ['bogus'], cases: [stored] };

async function choose(answer: Parameters<typeof serve>[0][string]) {
  const seen = serve({ 'GET /api/auth/me': { body: me }, [IMPORT]: answer });
  const { router } = draw(
    <WithinDataset>
      <ImportCases />
    </WithinDataset>,
  );
  await userEvent.upload(screen.getByLabelText('Choose a file', { selector: 'input' }), new File(['prompt\né'], 'cases.csv', { type: 'text/csv' }));
  return { seen: seen.filter(({ method }) => method === 'POST'), all: seen, router };
}

const dry = (request: Request) => new URL(request.url).searchParams.get('dry_run') === 'true';

test('first what would happen is shown, then it is done', async () => {
  const saved = { dataset_id: 'd1', dataset_name: 'Refunds', given: 2, before: 1, after: 2, unknown_columns: [] };
  const { all, router } = await choose((request) => ({ body: dry(request) ? preview : saved }));
  expect(await screen.findByText(/It is left out: bogus/)).toBeInTheDocument();
  expect(screen.getByRole('row', { name: /Can I return it/ })).toBeInTheDocument();
  expect(all.filter(({ method }) => method === 'POST').every(dry)).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Import 2 cases' }));
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/datasets/d1'));
});

test('replacing is previewed anew', async () => {
  const { all } = await choose({ body: preview });
  await userEvent.click(await screen.findByLabelText(/Remove the cases/));
  await vi.waitFor(() => expect(all.some(({ url }) => new URL(url).searchParams.get('replace') === 'true')).toBe(true));
});

test('a fault is told with its line and column, and nothing can be imported', async () => {
  await choose(problem(422, 'line 3, column prompt: is blank', [{ pointer: 'line 3, column prompt', detail: 'is blank' }]));
  expect(await screen.findByRole('row', { name: '3 prompt is blank' })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull();
});

test('places of a file', () => {
  expect([placeOf('line 3, column prompt'), placeOf('line 12'), placeOf('/evaluators/0')]).toEqual([{ line: '3', column: 'prompt' }, { line: '12', column: null }, null]);
});
