import { useQuery } from '@tanstack/react-query';

import { answer, api } from '~/api/client';
import { keys } from '~/api/keys';

/** What became of the spans that came in the last 30 days. */
export function useIngestion() {
  return useQuery({ queryKey: keys.ingestion(), queryFn: ({ signal }) => answer(api.GET('/api/workspace/ingestion', { signal })) });
}

/** The newest execution that the traces of a target became, and how many there are. */
export function useLastTrace(targetId: string) {
  const query = { target_id: targetId, source: 'production' as const, page: 1, size: 1 };
  return useQuery({
    queryKey: keys.executions(query),
    queryFn: ({ signal }) => answer(api.GET('/api/executions', { params: { query }, signal })),
  });
}
