import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

import { datasetsOf, ratePoints } from '~/screens/agents/rates/rateSeries';
import { runListQuery } from '~/screens/runs/runQueries';

/** Most runs that are drawn; the newest ones. */
export const MOST_RUNS = 200;

/**
 * The runs of a target on one dataset that came to a rate, oldest first. `wanted`: the dataset's id; without it the one
 * that was evaluated last. `partial`: also runs that were stopped, and those of some of the cases.
 */
export function useRates(targetId: string, wanted: string | null, partial = false) {
  const status = partial ? (['completed', 'cancelled'] as const) : (['completed'] as const);
  const query = { target_id: targetId, status: [...status], page: 1, size: MOST_RUNS };
  const latest = useQuery(runListQuery(query));
  const datasets = useMemo(() => datasetsOf((latest.data?.items ?? []).filter(({ rate }) => rate !== null)), [latest.data]);
  const chosen = datasets.find(({ id }) => id === wanted) ?? datasets[0];
  const runs = useQuery({ ...runListQuery({ ...query, dataset_id: chosen?.id }), enabled: chosen !== undefined, placeholderData: keepPreviousData });
  const points = useMemo(() => ratePoints(runs.data?.items ?? []).filter(({ complete }) => partial || complete), [runs.data, partial]);
  return {
    datasets,
    chosen,
    points,
    /** How many runs of these kinds there are, drawn or not. */
    total: runs.data?.total ?? 0,
    pending: latest.isPending || (chosen !== undefined && runs.isPending),
    error: latest.error ?? runs.error,
    retry: () => void Promise.all([latest.refetch(), runs.refetch()]),
  };
}
