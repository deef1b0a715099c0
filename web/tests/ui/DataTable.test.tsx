import { useQuery } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { DataTable, type Paged } from '~/ui/DataTable';
import { useListParams } from '~/ui/listParams';

import { draw } from '../render';

interface Dataset {
  id: string;
  name: string;
  cases: number;
}

type Ask = (page: number, q: string) => Promise<Paged<Dataset>>;

function List({ ask }: { ask: Ask }) {
  const params = useListParams();
  const query = useQuery({ queryKey: ['list', params.page, params.q], queryFn: () => ask(params.page, params.q), retry: false });
  return (
    <DataTable
      label="Datasets"
      query={query}
      params={params}
      rowKey={({ id }) => id}
      rowLink={({ id }) => `/datasets/${id}`}
      columns={[
        { key: 'name', header: 'Name', cell: ({ name }) => name },
        { key: 'cases', header: 'Cases', align: 'right', cell: ({ cases }) => cases },
      ]}
      empty={{ title: 'No dataset yet', text: 'Make one.', action: <button type="button">{'New dataset'}</button> }}
    />
  );
}

const two: Paged<Dataset> = { items: [{ id: '1', name: 'refunds', cases: 3 }, { id: '2', name: 'tone', cases: 8 }], total: 42, pages: 3 };
const nothing: Paged<Dataset> = { items: [], total: 0, pages: 0 };

test('rows lead on, and are read as a table', async () => {
  draw(<List ask={async () => two} />);
  const table = await screen.findByRole('table', { name: 'Datasets' });
  expect(within(table).getAllByRole('row')).toHaveLength(3);
  expect(within(table).getByRole('link', { name: 'refunds' })).toHaveAttribute('href', '/datasets/1');
  expect(screen.getByText('42 in all')).toBeInTheDocument();
});

test('page and search live in the address', async () => {
  const ask = vi.fn<Ask>(async () => two);
  const { router } = draw(<List ask={ask} />, '/?page=2');
  await screen.findByRole('table');
  expect(ask).toHaveBeenLastCalledWith(2, '');
  await userEvent.click(screen.getByRole('button', { name: 'Page 3' }));
  expect(router.state.location.search).toBe('?page=3');
  await userEvent.type(screen.getByRole('searchbox'), 'ref');
  await vi.waitFor(() => expect(router.state.location.search).toBe('?q=ref'));
  await vi.waitFor(() => expect(ask).toHaveBeenLastCalledWith(1, 'ref'));
});

test('an empty list says what to do next', async () => {
  draw(<List ask={async () => nothing} />);
  expect(await screen.findByRole('button', { name: 'New dataset' })).toBeInTheDocument();
  expect(screen.queryByRole('searchbox')).toBeNull();
});

test('a search without a match is not an empty list', async () => {
  draw(<List ask={async () => nothing} />, '/?q=zzz');
  expect(await screen.findByText(/Nothing matches/)).toBeInTheDocument();
  expect(screen.getByRole('searchbox')).toHaveValue('zzz');
});

test('a failure can be tried again', async () => {
  const ask = vi.fn<Ask>().mockRejectedValueOnce(new Error('no luck')).mockResolvedValue(two);
  draw(<List ask={ask} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('table')).toBeInTheDocument();
});

test.each(['-1', '0', 'x', '1e999'])('a page of %s is a page nonetheless', async (page) => {
  const ask = vi.fn<Ask>(async () => two);
  draw(<List ask={ask} />, `/?page=${page}`);
  await screen.findByRole('table');
  expect(ask.mock.calls[0]?.[0]).toBeGreaterThanOrEqual(1);
});
