import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import Members from '~/screens/settings/Members';

import { draw } from '../../render';
import { serve } from '../../server';

const member = (id: string, role: string) => ({ id, email: `${id}@example.org`, role, has_password: true, created_at: '2026-01-01T00:00:00Z', last_seen_at: null });
const ANA = member('ana', 'owner');
const BOB = member('bob', 'viewer');
const principal = (id: string, role: string) => ({ body: { workspace: { id: 'w', name: 'Test' }, name: `${id}@example.org`, role, kind: 'member', member_id: id } });
const list = { body: { items: [BOB, ANA], total: 2, page: 1, size: 200, pages: 1 } };

test('the only owner keeps the role; others get another one at once', async () => {
  const requests = serve({ 'GET /api/auth/me': principal('ana', 'owner'), 'GET /api/members': list, 'PUT /api/members/bob': { body: { ...BOB, role: 'editor' } } });
  draw(<Members />);
  expect(await screen.findByText('you')).toBeInTheDocument();
  expect(screen.queryByRole('combobox', { name: 'Role of ana@example.org' })).not.toBeInTheDocument();
  await userEvent.click(screen.getByRole('combobox', { name: 'Role of bob@example.org' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Editor' }));
  const change = requests.find(({ method }) => method === 'PUT');
  expect(await change?.json()).toEqual({ role: 'editor' });
});

test('the link of a new member is shown once, as a whole address', async () => {
  serve({ 'GET /api/auth/me': principal('ana', 'owner'), 'GET /api/members': list, 'POST /api/members': { status: 201, body: { member: BOB, link: '/sign-in?token=abc' } } });
  draw(<Members />);
  await userEvent.click(await screen.findByRole('button', { name: 'Add a member' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect(screen.getByText('This is not an email.')).toBeInTheDocument();
  await userEvent.type(screen.getByLabelText(/^Email/), 'bob@example.org');
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText(`${window.location.origin}/sign-in?token=abc`)).toBeInTheDocument();
});

test('who is no owner reads the list and changes nothing', async () => {
  serve({ 'GET /api/auth/me': principal('bob', 'viewer'), 'GET /api/members': list });
  draw(<Members />);
  expect(await screen.findByText('ana@example.org')).toBeInTheDocument();
  expect(screen.queryByRole('combobox')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Add a member' })).toHaveAttribute('aria-disabled', 'true');
});
