import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';

export type EvaluatorVersion = Schemas['EvaluatorVersion'];

export const historyAddress = (id: string) => `/evaluators/${id}/history`;

/** The versions of a saved evaluator, newest first; also of one that is gone. */
export function useEvaluatorVersions(id: string, page: number, size: number) {
  return useQuery({
    queryKey: keys.evaluators({ id, versions: true, page, size }),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/evaluators/{evaluator_id}/versions', { params: { path: { evaluator_id: id }, query: { page, size } }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** One version, which never changes; nothing is asked for null. */
export function useEvaluatorVersion(id: string, number: number | null) {
  return useQuery({
    queryKey: keys.evaluators({ id, version: number }),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/evaluators/{evaluator_id}/versions/{number}', { params: { path: { evaluator_id: id, number: number ?? 0 } }, signal })),
    enabled: number !== null,
    staleTime: Infinity,
  });
}

/** Makes what an earlier version says a new one, unless somebody has changed the evaluator since it was read. */
export function useRestore(id: string, etag: string, onDone: () => void) {
  const { t } = useTranslation('evaluators');
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (number: number) =>
      answer(api.POST('/api/eval/evaluators/{evaluator_id}/versions/{number}/restore', { params: { path: { evaluator_id: id, number }, header: { 'if-match': etag } } })),
    onSuccess: ({ version }, number) => {
      notifications.show({ message: t('history.restored', { number, version }) });
      void queries.invalidateQueries({ queryKey: keys.evaluators() });
      void queries.invalidateQueries({ queryKey: keys.datasets() });
      onDone();
    },
  });
}
