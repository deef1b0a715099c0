import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import ApiKeys from '~/screens/settings/ApiKeys';

import { draw } from '../../render';
import { serve } from '../../server';

const principal = (role: string) => ({ body: { workspace: { id: 'w', name: 'Test' }, name: 'ana@example.org', role, kind: 'member', member_id: 'ana' } });
const KEY = { id: 'k1', name: 'CI', prefix: 'aloi_abc', role: 'editor', created_by: 'ana', created_at: '2026-01-01T00:00:00Z', expires_at: null, last_used_at: null };
const none = { body: { items: [], total: 0, page: 1, size: 20, pages: 0 } };

test('the secret is shown once', async () => {
  const requests = serve({ 'GET /api/auth/me': principal('owner'), 'GET /api/auth/api-keys': none, 'POST /api/auth/api-keys': { status: 201, body: { key: KEY, secret: 'aloi_secret' } } });
  draw(<ApiKeys />);
  await userEvent.click((await screen.findAllByRole('button', { name: 'New API key' }))[0] as HTMLElement);
  await userEvent.type(await screen.findByLabelText(/^Name/), 'CI');
  await userEvent.click(screen.getByRole('button', { name: 'Create' }));
  expect(await screen.findByText('aloi_secret')).toBeInTheDocument();
  const sent = (await requests.find(({ method }) => method === 'POST')?.json()) as { name: string; role: string; expires_at: string };
  expect(sent).toMatchObject({ name: 'CI', role: 'editor' });
  expect(Date.parse(sent.expires_at)).toBeGreaterThan(Date.now());
});

test('others are told why they see none, and nothing is asked for', async () => {
  const requests = serve({ 'GET /api/auth/me': principal('editor') });
  draw(<ApiKeys />);
  expect(await screen.findByText('For owners')).toBeInTheDocument();
  expect(requests.filter(({ url }) => url.includes('api-keys'))).toEqual([]);
});
