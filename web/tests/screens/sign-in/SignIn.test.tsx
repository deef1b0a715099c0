import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import SignIn from '~/screens/sign-in/SignIn';

import { draw } from '../../render';
import { serve } from '../../server';

async function signIn(email: string, password: string) {
  await userEvent.type(screen.getByLabelText(/Email/), email);
  await userEvent.type(screen.getByLabelText(/Password/), password);
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
}

test('signs in and returns to where the reader was going', async () => {
  const seen = serve({ 'POST /api/auth/login': { body: {} } });
  const { router } = draw(<SignIn />, '/sign-in?next=%2Fruns%3Fpage%3D2');
  await signIn('ada@example.org', 'secret');
  await vi.waitFor(() => expect(router.state.location.pathname + router.state.location.search).toBe('/runs?page=2'));
  expect(await seen[0]?.json()).toEqual({ email: 'ada@example.org', password: 'secret' });
});

test.each([
  [401, /do not match/],
  [429, /Too many attempts/],
  [503, /The server failed/],
])('an answer of %d is explained', async (status, text) => {
  serve({ 'POST /api/auth/login': { status, body: { status, title: 't', detail: 'd', code: 'c' } } });
  draw(<SignIn />, '/sign-in');
  await signIn('ada@example.org', 'wrong');
  expect(await screen.findByRole('alert')).toHaveTextContent(text);
});

test('a link is sent once', async () => {
  const seen = serve({ 'POST /api/auth/link': { body: {} } });
  const { router } = draw(<SignIn />, '/sign-in?token=abc');
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(await seen[0]?.json()).toEqual({ token: 'abc' });
  expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('a link that was used says so, and the form stays', async () => {
  serve({ 'POST /api/auth/link': { status: 401, body: { status: 401, title: 't', detail: 'd', code: 'c' } } });
  draw(<SignIn />, '/sign-in?token=abc');
  expect(await screen.findByRole('alert')).toHaveTextContent('This link has been used');
  expect(screen.getByLabelText(/Email/)).toBeInTheDocument();
});
