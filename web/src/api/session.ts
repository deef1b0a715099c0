import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { answer, api } from '~/api/client';
import { keys } from '~/api/keys';

const ROLES = ['viewer', 'editor', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** Who is signed in, and to which workspace. */
export function useSession() {
  return useQuery({
    queryKey: keys.session(),
    queryFn: ({ signal }) => answer(api.GET('/api/auth/me', { signal })),
    staleTime: 5 * 60_000,
  });
}

/** Whether a role includes what the needed one may do. An unknown one may nothing. */
export function includes(role: string | undefined, needed: Role): boolean {
  return ROLES.findIndex((known) => known === role) >= ROLES.indexOf(needed);
}

/** Signs out. What was cached is forgotten, since the next user may not see it. */
export function useSignOut(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answer(api.POST('/api/auth/logout')),
    onSettled: () => {
      queries.clear();
      onDone();
    },
  });
}
