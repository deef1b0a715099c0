import createClient from 'openapi-fetch';

import { errorOf, networkError } from '~/api/errors';
import type { components, paths } from '~/api/schema';

/** The API's own types by name: `Schemas['Run']`. */
export type Schemas = components['schemas'];

/** The REST API, typed by openapi.json. An answer without success is thrown as an `ApiError`. */
export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: 'same-origin',
  fetch: (request) => globalThis.fetch(request),
});

api.use({
  async onResponse({ response }) {
    if (!response.ok) throw await errorOf(response);
  },
  onError: ({ error }) => networkError(error),
});

/**
 * What a call answered, without the envelope:
 * `const run = await answer(api.GET('/api/eval/runs/{id}', { params: { path: { id } }, signal }))`.
 * Throws an `ApiError`.
 */
export async function answer<T>(call: Promise<{ data?: T; response: Response }>): Promise<T> {
  return (await call).data as T;
}
