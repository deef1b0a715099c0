import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

import { ApiError } from '~/api/errors';

const MOST_RETRIES = 2;

/**
 * The cache of what was asked. Nothing polls; a page that comes back into view is asked again once it is 10 s old.
 * Retries: only where the network or the server failed, and never of a change. `onSignedOut`: the session has ended.
 */
export function makeQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: Error) => {
    if (error instanceof ApiError && error.status === 401) onSignedOut();
  };
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: 10_000, retry: (count, error) => count < MOST_RETRIES && isTransient(error) },
      mutations: { retry: false },
    },
  });
}

function isTransient(error: Error): boolean {
  return error instanceof ApiError && error.transient;
}
