import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { expect, test } from 'vitest';

import { DataTable } from '~/ui/DataTable';
import { useListParams } from '~/ui/listParams';

import { draw } from '../render';

const items = ['a', 'b', 'c'];

function Table() {
  const query = useQuery({ queryKey: ['x'], queryFn: () => Promise.resolve({ items, total: 3, pages: 1 }) });
  const [chosen, onChange] = useState<ReadonlySet<string>>(new Set());
  return (
    <>
      <DataTable
        label="Letters"
        query={query}
        params={useListParams()}
        columns={[{ key: 'x', header: 'Letter', cell: (item) => item, detail: (item) => <small>{`about ${item}`}</small> }]}
        rowKey={(item) => item}
        rowLink={(item) => `/${item}`}
        selection={{ chosen, onChange, label: (item) => item }}
        empty={{ title: '', text: '' }}
      />
      <output>{[...chosen].join(' ')}</output>
    </>
  );
}

test('rows are chosen one by one, and all at once', async () => {
  draw(<Table />);
  const all = await screen.findByRole('checkbox', { name: 'Choose all on this page' });
  await userEvent.click(screen.getByRole('checkbox', { name: 'Choose b' }));
  expect(document.querySelector('output')).toHaveTextContent('b');
  expect(all).toHaveProperty('indeterminate', true);
  await userEvent.click(all);
  expect(document.querySelector('output')).toHaveTextContent('a b c');
  await userEvent.click(all);
  expect(document.querySelector('output')).toBeEmptyDOMElement();
});

test('what stands below a cell is not part of the link', async () => {
  draw(<Table />);
  expect(await screen.findByRole('link', { name: 'a' })).toBeInTheDocument();
  expect(screen.getByText('about a')).toBeInTheDocument();
});
