import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import Members from '~/screens/settings/Members';

import { draw } from '../../render';
import { serve } from '../../server';

const member = (id: string, role: string) => ({ id, email: `${id}@example.org`, role, has_password: true, created_at: '2026-01-01T00:00:00Z', last_seen_at: null, granted: null as number | null });
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

const target = (id: string) => ({ id, name: `Bot ${id}`, kind: 'agent' });

test('a new member is narrowed from the beginning', async () => {
  const requests = serve({
    'GET /api/auth/me': principal('ana', 'owner'),
    'GET /api/members': list,
    'GET /api/targets': { body: { items: [target('one')], total: 1, page: 1, size: 50, pages: 1 } },
    'GET /api/targets/one': { body: target('one') },
    'POST /api/members': { status: 201, body: { member: BOB, link: '/sign-in?token=abc' } },
  });
  draw(<Members />);
  await userEvent.click(await screen.findByRole('button', { name: 'Add a member' }));
  await userEvent.type(screen.getByLabelText(/^Email/), 'bob@example.org');
  await userEvent.click(screen.getByRole('radio', { name: 'Only some' }));
  await userEvent.click(screen.getByRole('combobox', { name: 'Add a target' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Bot one' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add' }));
  expect(await screen.findByText(/sign-in\?token=abc/)).toBeInTheDocument();
  const sent = requests.find(({ method }) => method === 'POST');
  expect(await sent?.json()).toEqual({ email: 'bob@example.org', role: 'editor', targets: ['one'] });
});

test('an owner narrows a member to some targets', async () => {
  const narrowed = { ...list, body: { ...list.body, items: [{ ...BOB, granted: 1 }, ANA] } };
  const requests = serve({
    'GET /api/auth/me': principal('ana', 'owner'),
    'GET /api/members': narrowed,
    'GET /api/members/bob/grants': { body: { targets: [target('one')] } },
    'PUT /api/members/bob/grants': { body: { targets: [target('two')] } },
    'GET /api/targets': { body: { items: [target('one'), target('two')], total: 2, page: 1, size: 50, pages: 1 } },
    'GET /api/targets/one': { body: target('one') },
    'GET /api/targets/two': { body: target('two') },
  });
  draw(<Members />);
  expect(await screen.findByText('Bot one')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Change which targets bob@example.org sees' }));
  const dialog = await screen.findByRole('dialog', { name: 'Targets that bob@example.org sees' });
  expect(await within(dialog).findByRole('radio', { name: 'Only some' })).toBeChecked();
  await userEvent.click(await within(dialog).findByRole('button', { name: 'Take Bot one away' }));
  expect(within(dialog).getByText('None is chosen: they will see no target.')).toBeInTheDocument();
  await userEvent.click(within(dialog).getByRole('combobox', { name: 'Add a target' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Bot two' }));
  expect(await within(dialog).findByRole('button', { name: 'Take Bot two away' })).toBeInTheDocument();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  const change = requests.find(({ method }) => method === 'PUT');
  expect(await change?.json()).toEqual({ targets: ['two'] });
});

test('all targets again', async () => {
  const narrowed = { ...list, body: { ...list.body, items: [{ ...BOB, granted: 0 }, ANA] } };
  const requests = serve({ 'GET /api/auth/me': principal('ana', 'owner'), 'GET /api/members': narrowed, 'GET /api/members/bob/grants': { body: { targets: [] } }, 'PUT /api/members/bob/grants': { body: { targets: null } } });
  draw(<Members />);
  expect(await screen.findByText('No target')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Change which targets bob@example.org sees' }));
  await userEvent.click(await screen.findByRole('radio', { name: 'All targets' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const change = requests.find(({ method }) => method === 'PUT');
  expect(await change?.json()).toEqual({ targets: null });
});

test('who is no owner reads the list and changes nothing', async () => {
  serve({ 'GET /api/auth/me': principal('bob', 'viewer'), 'GET /api/members': list });
  draw(<Members />);
  expect(await screen.findByText('ana@example.org')).toBeInTheDocument();
  expect(screen.queryByRole('combobox')).not.toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Add a member' })).toHaveAttribute('aria-disabled', 'true');
});
