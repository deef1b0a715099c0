import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { answer, api, type Schemas } from '~/api/client';
import { ApiError } from '~/api/errors';
import { keys } from '~/api/keys';

/** Creates the target and leads to its Runner. `done`: nothing is left to save. */
export function useCreateTarget(onFaults: (error: ApiError) => void) {
  const { t } = useTranslation('agents');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const done = useRef(false);
  const mutation = useMutation({
    mutationFn: (body: Schemas['NewTarget']) => answer(api.POST('/api/targets', { body })),
    onSuccess: ({ id, name }) => {
      done.current = true;
      notifications.show({ message: t('create.done', { name }) });
      void queries.invalidateQueries({ queryKey: keys.targets() });
      void navigate(`/agents/${id}/runner`);
    },
    onError: (error) => error instanceof ApiError && onFaults(error),
  });
  return { mutation, done };
}
