import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';

import { api, type Schemas } from '~/api/client';
import { ApiError } from '~/api/errors';
import { keys } from '~/api/keys';
import type { VersionSaved } from '~/screens/agents/SavedVersion';
import type { Version } from '~/screens/agents/targets';

/** Adds a version to a target. `done`: nothing is left to save. */
export function useSaveVersion(id: string, onFaults: (error: ApiError) => void) {
  const queries = useQueryClient();
  const done = useRef(false);
  const mutation = useMutation({
    mutationFn: async (body: Schemas['NewVersion']): Promise<VersionSaved> => {
      const { data, response } = await api.POST('/api/targets/{target_id}/versions', { params: { path: { target_id: id } }, body });
      return { version: data as Version, isNew: response.status === 201 };
    },
    onSuccess: () => {
      done.current = true;
      void queries.invalidateQueries({ queryKey: keys.targets() });
    },
    onError: (error) => error instanceof ApiError && onFaults(error),
  });
  return { mutation, done };
}
