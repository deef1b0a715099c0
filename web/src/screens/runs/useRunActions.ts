import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { answer, api } from '~/api/client';
import { keys } from '~/api/keys';
import type { Run } from '~/screens/runs/runQueries';
import type { Verdict } from '~/ui/VerdictBadge';

type Wish = { name: 'cancel' | 'resume' | 'regrade' | 'delete' } | { name: 'retry'; verdicts: Verdict[] };

export interface RunActionSet {
  cancel: () => void;
  resume: () => void;
  regrade: () => void;
  retry: (verdicts: Verdict[]) => void;
  remove: () => void;
  /** What is being done right now. */
  pending: Wish['name'] | null;
  error: Error | null;
}

/** What can be done with a run. What makes another run leads to it; deleting leads to the list. */
export function useRunActions(run: Run): RunActionSet {
  const { t } = useTranslation('runs');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const act = useMutation({
    mutationFn: (wish: Wish) => send(run.id, wish),
    onSuccess: (made, wish) => {
      notifications.show({ message: t(`done.${wish.name}`) });
      // What is asked again must not be the run that is gone.
      const gone = wish.name === 'delete';
      void queries.invalidateQueries({ queryKey: keys.runs(), predicate: ({ queryKey }) => !gone || queryKey[1] !== run.id });
      if (gone) void navigate('/runs');
      else if (made && made.id !== run.id) void navigate(`/runs/${made.id}`);
    },
  });
  return {
    cancel: () => act.mutate({ name: 'cancel' }),
    resume: () => act.mutate({ name: 'resume' }),
    regrade: () => act.mutate({ name: 'regrade' }),
    retry: (verdicts) => act.mutate({ name: 'retry', verdicts }),
    remove: () => act.mutate({ name: 'delete' }),
    pending: act.isPending ? act.variables.name : null,
    error: act.error,
  };
}

async function send(id: string, wish: Wish): Promise<{ id: string } | null> {
  const params = { path: { run_id: id } };
  switch (wish.name) {
    case 'cancel':
      return answer(api.POST('/api/eval/runs/{run_id}/cancel', { params }));
    case 'resume':
      return answer(api.POST('/api/eval/runs/{run_id}/resume', { params }));
    case 'regrade':
      return answer(api.POST('/api/eval/runs/{run_id}/regrade', { params }));
    case 'retry':
      return answer(api.POST('/api/eval/runs/{run_id}/retry', { params, body: { verdicts: wish.verdicts } }));
    case 'delete':
      await api.DELETE('/api/eval/runs/{run_id}', { params });
      return null;
  }
}
