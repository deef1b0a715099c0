import { queryOptions } from '@tanstack/react-query';

import { api } from '~/api/client';
import { keys } from '~/api/keys';
import { tagged } from '~/api/tagged';

/** A saved evaluator with its ETag. */
export const savedQuery = (id: string) =>
  queryOptions({
    queryKey: keys.evaluators({ id }),
    queryFn: ({ signal }) => tagged(api.GET('/api/eval/evaluators/{evaluator_id}', { params: { path: { evaluator_id: id } }, signal })),
  });
