import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { FileList } from '~/screens/attachments/FileList';

import { draw } from '../../render';
import { serve } from '../../server';
import { me, page, problem } from '../datasets/samples';
import { bill, dot, entryOf } from './samples';

const LIST = 'GET /api/eval/attachments';
const REMOVE = `DELETE /api/eval/attachments/${dot.hash}`;

test('files with who uses them; what is used cannot be deleted, and says why', async () => {
  serve({ 'GET /api/auth/me': { body: me }, [LIST]: { body: page([entryOf(bill, { cases: 2, runs: 1 }), entryOf(dot)]) } });
  draw(<FileList />);
  const used = await screen.findByRole('row', { name: /bill\.pdf/ });
  expect(within(used).getByText('2 cases')).toBeInTheDocument();
  expect(within(used).getByText('1 run')).toBeInTheDocument();
  const kept = within(used).getByRole('button', { name: 'Delete bill.pdf' });
  await vi.waitFor(() => expect(kept).toHaveAttribute('aria-disabled', 'true'));
  await userEvent.hover(kept);
  expect(await screen.findByText('2 cases have it. Remove it there first.')).toBeInTheDocument();
  await userEvent.click(kept);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(within(used).getByRole('link', { name: 'Download bill.pdf' })).toHaveAttribute('href', expect.stringContaining('download=1'));
});

test('one that is unused is deleted, once asked', async () => {
  const seen = serve({ 'GET /api/auth/me': { body: me }, [LIST]: { body: page([entryOf(dot)]) }, [REMOVE]: { status: 204 } });
  draw(<FileList />);
  await userEvent.click(await screen.findByRole('button', { name: 'Delete dot.png' }));
  const dialog = await screen.findByRole('dialog', { name: /Delete the file “dot\.png”/ });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  await vi.waitFor(() => expect(seen.some(({ method }) => method === 'DELETE')).toBe(true));
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a refusal stands in the dialog', async () => {
  serve({ 'GET /api/auth/me': { body: me }, [LIST]: { body: page([entryOf(dot)]) }, [REMOVE]: problem(409, '1 case refers to it') });
  draw(<FileList />);
  await userEvent.click(await screen.findByRole('button', { name: 'Delete dot.png' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Delete' }));
  expect(await within(dialog).findByText(/1 case refers to it/)).toBeInTheDocument();
});

test('a viewer reads, and neither sends nor deletes', async () => {
  serve({ 'GET /api/auth/me': { body: { ...me, role: 'viewer' } }, [LIST]: { body: page([entryOf(dot)]) } });
  draw(<FileList />);
  await vi.waitFor(async () => expect(await screen.findByRole('button', { name: 'Delete dot.png' })).toHaveAttribute('aria-disabled', 'true'));
  expect(screen.getByRole('button', { name: 'Choose files' })).toHaveAttribute('aria-disabled', 'true');
});

test('only the unused, by the address; an empty list says what to do', async () => {
  const seen = serve({ 'GET /api/auth/me': { body: me }, [LIST]: { body: page([]) } });
  const { router } = draw(<FileList />, '/attachments');
  expect(await screen.findByText('No files yet')).toBeInTheDocument();
  await router.navigate('/attachments?unused=1');
  await vi.waitFor(() => expect(seen.some(({ url }) => new URL(url).searchParams.get('unused') === 'true')).toBe(true));
  expect(await screen.findByRole('switch', { name: 'Only unused' })).toBeChecked();
});
