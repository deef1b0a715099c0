import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import Webhook from '~/screens/settings/Webhook';

import { draw } from '../../render';
import { serve } from '../../server';
import { aNotice, me, page, problem } from '../schedules/samples';

const SET = { url: 'https://example.org/aloi', updated_at: '2026-11-30T12:00:00Z' };

function open(role: string, webhook: object, put: Parameters<typeof serve>[0][string] = { body: { webhook: SET, secret: 'whsec_1' } }) {
  const sent = aNotice({ delivery: { status: 'pending', attempts: 2, next_at: '2026-11-30T12:10:00Z', reason: 'it answered with status 500', delivered_at: null } });
  const seen = serve({
    'GET /api/auth/me': me(role),
    'GET /api/workspace/webhook': { body: webhook },
    'PUT /api/workspace/webhook': put,
    'POST /api/workspace/webhook/test': { body: { taken: false, reason: 'it answered with status 500' } },
    'GET /api/notices': page([sent, aNotice({ id: 'n2' })], { unread: 0 }),
  });
  draw(<Webhook />);
  return seen;
}

const sent = async (seen: Request[]) => seen.find(({ method }) => method === 'PUT')?.json() as Promise<unknown>;

test('the first address brings a secret, which is shown once', async () => {
  const seen = open('owner', { url: null, updated_at: null });
  fireEvent.change(await screen.findByLabelText('Address'), { target: { value: 'https://example.org/aloi' } });
  await userEvent.click(screen.getByRole('button', { name: 'Save the address' }));
  expect(await screen.findByText('whsec_1')).toBeInTheDocument();
  const dialog = within(screen.getByRole('dialog'));
  expect(await sent(seen)).toEqual({ url: 'https://example.org/aloi', new_secret: false });
  await userEvent.click(dialog.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
  expect(await screen.findByRole('button', { name: 'New secret' })).toBeInTheDocument();
});

test('an address that is refused says why at the field', async () => {
  open('owner', { url: null, updated_at: null }, problem(422, 'no', [{ pointer: '/url', detail: '127.0.0.1 is private' }]));
  fireEvent.change(await screen.findByLabelText('Address'), { target: { value: 'http://127.0.0.1' } });
  await userEvent.click(screen.getByRole('button', { name: 'Save the address' }));
  expect(await screen.findByText('127.0.0.1 is private')).toBeInTheDocument();
});

test('a new secret and the end of it are asked for first', async () => {
  const seen = open('owner', SET);
  await userEvent.click(await screen.findByRole('button', { name: 'New secret' }));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Make a new one' }));
  await vi.waitFor(async () => expect(await sent(seen)).toEqual({ url: SET.url, new_secret: true }));
  expect(await screen.findByText('whsec_1')).toBeInTheDocument();
});

test('a test is sent, and what came of it is told', async () => {
  open('owner', SET);
  await userEvent.click(await screen.findByRole('button', { name: 'Send a test' }));
  expect(await screen.findByRole('status')).toHaveTextContent('It was not taken: it answered with status 500');
});

test('others read where notices go, and why they cannot change it', async () => {
  open('viewer', SET);
  expect(await screen.findByRole('textbox', { name: 'Address' })).toHaveAttribute('readonly');
  expect(screen.getByRole('button', { name: 'Save the address' })).toHaveAttribute('aria-disabled', 'true');
  const rows = within(await screen.findByRole('table', { name: 'Last deliveries' })).getAllByRole('row');
  expect(rows).toHaveLength(2);
  expect(rows[1]).toHaveTextContent('it answered with status 500');
});
