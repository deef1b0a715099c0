import { expect, test, vi } from 'vitest';

import { answer, api } from '~/api/client';
import { ApiError } from '~/api/errors';

import { serve } from '../server';

const me = () => answer(api.GET('/api/auth/me'));

test('an answer is what the server said', async () => {
  const seen = serve({ 'GET /api/auth/me': { body: { name: 'ada' } } });
  expect(await me()).toEqual({ name: 'ada' });
  expect(seen[0]?.credentials).toBe('same-origin');
});

test('a problem is an ApiError', async () => {
  const body = { type: 'about:blank', title: 'Unprocessable', status: 422, code: 'invalid_input', detail: 'no', errors: [{ pointer: '/a', detail: 'b' }] };
  serve({ 'GET /api/auth/me': { status: 422, body } });
  await expect(me()).rejects.toMatchObject({ name: 'ApiError', status: 422, code: 'invalid_input', detail: 'no', errors: body.errors, transient: false });
});

test('an error without a problem is one too', async () => {
  serve({ 'GET /api/auth/me': { status: 502 } });
  await expect(me()).rejects.toMatchObject({ name: 'ApiError', status: 502, errors: [], transient: true });
});

test('no answer is a transient error', async () => {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('Failed to fetch');
  });
  await expect(me()).rejects.toMatchObject({ name: 'ApiError', status: 0, transient: true });
});

test('errors say what the server said', () => {
  expect(new ApiError(404, 'not_found', 'Not Found', 'there is no run x').message).toBe('there is no run x');
});
