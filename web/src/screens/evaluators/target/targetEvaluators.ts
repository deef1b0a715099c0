import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { tagged } from '~/api/tagged';
import type { Binding } from '~/screens/evaluators/specs';

export type BoundDataset = Schemas['BoundDataset'];

/** So many of a target's datasets are shown with what they bind. */
const MOST = 200;

/** A target's datasets, the oldest first, each with the evaluators that it binds. */
export function useBoundDatasets(targetId: string) {
  return useQuery({
    queryKey: keys.evaluators({ target: targetId, bound: true }),
    queryFn: ({ signal }) => answer(api.GET('/api/targets/{target_id}/evaluators', { params: { path: { target_id: targetId }, query: { page: 1, size: MOST } }, signal })),
  });
}

export interface Rebinding {
  datasetId: string;
  /** The bindings as they shall be, from those that are there. */
  change: (bindings: readonly Binding[]) => readonly Binding[];
}

/** Changes what a dataset binds. It is read first, so that what somebody else has bound meanwhile stays. */
export function useRebind() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ datasetId, change }: Rebinding) => {
      const path = { dataset_id: datasetId };
      const { value, etag } = await tagged(api.GET('/api/eval/datasets/{dataset_id}/evaluators', { params: { path } }));
      return answer(api.PUT('/api/eval/datasets/{dataset_id}/evaluators', { params: { path, header: { 'if-match': etag } }, body: change(value).map(writtenOf) }));
    },
    onSettled: () => Promise.all([queries.invalidateQueries({ queryKey: keys.evaluators() }), queries.invalidateQueries({ queryKey: keys.datasets() })]),
  });
}

function writtenOf({ evaluator_id, name, weight, spec }: Binding): Schemas['WrittenEvaluator'] {
  return evaluator_id ? { evaluator_id, weight } : { name, weight, spec };
}

/** Makes the default evaluators of a target, once, as soon as it is known that it has none and that one may. */
export function useDefaults(targetId: string, wanted: boolean) {
  const queries = useQueryClient();
  const asked = useRef<string | null>(null);
  const make = useMutation({
    mutationFn: () => answer(api.POST('/api/targets/{target_id}/default-evaluators', { params: { path: { target_id: targetId } } })),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: keys.evaluators() });
      void queries.invalidateQueries({ queryKey: keys.datasets() });
    },
  });
  const { mutate } = make;
  useEffect(() => {
    if (!wanted || asked.current === targetId) return;
    asked.current = targetId;
    mutate();
  }, [wanted, targetId, mutate]);
  return make;
}
