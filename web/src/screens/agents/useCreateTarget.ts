import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { answer, api, type Schemas } from '~/api/client';
import { ApiError } from '~/api/errors';
import { keys } from '~/api/keys';
import { isRemote } from '~/screens/agents/targets';

/** Creates the target and leads to its Runner; one that runs elsewhere, to how it sends its traces. `done`: nothing is left to save. */
export function useCreateTarget(onFaults: (error: ApiError) => void) {
  const { t } = useTranslation('agents');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const done = useRef(false);
  const mutation = useMutation({
    mutationFn: (body: Schemas['NewTarget']) => answer(api.POST('/api/targets', { body })),
    onSuccess: ({ id, name, kind }) => {
      done.current = true;
      notifications.show({ message: t(isRemote(kind) ? 'create.doneRemote' : 'create.done', { name }) });
      void queries.invalidateQueries({ queryKey: keys.targets() });
      void navigate(isRemote(kind) ? `/agents/${id}` : `/agents/${id}/runner`);
    },
    onError: (error) => error instanceof ApiError && onFaults(error),
  });
  return { mutation, done };
}
