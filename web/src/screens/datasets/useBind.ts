import { useMutation, useQueryClient } from '@tanstack/react-query';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import type { Tagged } from '~/api/tagged';
import type { Dataset } from '~/screens/datasets/datasets';
import type { Binding } from '~/screens/evaluators/specs';

/** Binds these evaluators to a dataset and no others, unless somebody else has changed it since it was read. */
export function useBind({ value, etag }: Tagged<Dataset>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (bindings: Binding[]) =>
      answer(
        api.PUT('/api/eval/datasets/{dataset_id}/evaluators', {
          params: { path: { dataset_id: value.id }, header: { 'if-match': etag } },
          body: bindings.map(writtenOf),
        }),
      ),
    onSettled: () => Promise.all([queries.invalidateQueries({ queryKey: keys.datasets() }), queries.invalidateQueries({ queryKey: keys.evaluators() })]),
  });
}

function writtenOf({ evaluator_id, name, weight, spec }: Binding): Schemas['WrittenEvaluator'] {
  return evaluator_id ? { evaluator_id, weight } : { name, weight, spec };
}
