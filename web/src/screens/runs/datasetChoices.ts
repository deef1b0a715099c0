import { useQuery } from '@tanstack/react-query';

import type { Schemas } from '~/api/client';
import { datasetChoicesQuery } from '~/screens/runs/runQueries';

export interface DatasetChoices {
  datasets: readonly Schemas['DatasetEntry'][];
  isPending: boolean;
  error: Error | null;
  retry: () => void;
}

/** The datasets that can be chosen: those that are meant for the target first, where one is given. */
export function useDatasetChoices(q: string, targetId: string | null): DatasetChoices {
  const own = useQuery({ ...datasetChoicesQuery(q, targetId ?? ''), enabled: targetId !== null });
  const all = useQuery(datasetChoicesQuery(q));
  const first = targetId === null ? [] : (own.data?.items ?? []);
  const isFirst = new Set(first.map(({ id }) => id));
  return {
    datasets: [...first, ...(all.data?.items ?? []).filter(({ id }) => !isFirst.has(id))],
    isPending: all.isPending || (targetId !== null && own.isPending),
    error: all.error ?? own.error,
    retry: () => {
      void all.refetch();
      if (targetId !== null) void own.refetch();
    },
  };
}
