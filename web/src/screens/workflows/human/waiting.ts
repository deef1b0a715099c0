import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import type { Json } from '~/ui/schema-form/schema';

export type WaitingStep = Schemas['WaitingStep'];
export type HumanStep = Schemas['HumanStep'];

/** A person answers within minutes or days, so this is no hurry; the window's focus asks too. */
const POLL_MS = 30_000;

/** The steps that wait for people, oldest first. */
export function useWaiting(page: number, size: number) {
  return useQuery({
    queryKey: keys.waiting({ page, size }),
    queryFn: ({ signal }) => answer(api.GET('/api/executions/waiting', { params: { query: { page, size } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
}

/** How many steps wait; 0 while that is not known. */
export function useWaitingCount(): number {
  return useWaiting(1, 1).data?.total ?? 0;
}

/** Answers a step of an execution, which then goes on. */
export function useAnswer(executionId: string, step: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (value: Json) =>
      answer(api.POST('/api/executions/{execution_id}/steps/{name}/answer', { params: { path: { execution_id: executionId, name: step } }, body: { answer: value } })),
    onSuccess: (execution) => {
      queries.setQueryData(keys.execution(executionId), execution);
      void queries.invalidateQueries({ queryKey: keys.waiting() });
      void queries.invalidateQueries({ queryKey: ['executions', 'list'] });
    },
    // Somebody else may have been faster.
    onError: () => void queries.invalidateQueries({ queryKey: keys.execution(executionId) }),
  });
}
