import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useOutletContext } from 'react-router';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { type Tagged, tagged } from '~/api/tagged';

export type Dataset = Schemas['Dataset'];
export type DatasetEntry = Schemas['DatasetEntry'];

const LIVE = ['pending', 'running'];
const POLL_MS = 5_000;

interface ListFilters {
  q: string;
  target_id: string | undefined;
  page: number;
  size: number;
}

/** A page of datasets. It is asked again now and then while one of their last runs goes on. */
export function useDatasets(filters: ListFilters) {
  return useQuery({
    queryKey: keys.datasetList({ ...filters }),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/datasets', { params: { query: filters }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(({ last_run }) => last_run && LIVE.includes(last_run.status)) ? POLL_MS : false),
  });
}

export function useDataset(id: string) {
  return useQuery({
    queryKey: [...keys.dataset(id), 'tagged'],
    queryFn: ({ signal }) => tagged(api.GET('/api/eval/datasets/{dataset_id}', { params: { path: { dataset_id: id } }, signal })),
  });
}

/** How many cases of a dataset there are; `runnable`: only those that run. */
export function useCaseCount(id: string, runnable = false) {
  const query = { page: 1, size: 1, ...(runnable && { enabled: true, status: 'ready' as const }) };
  return useQuery({
    queryKey: keys.cases(id, query),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/datasets/{dataset_id}/cases', { params: { path: { dataset_id: id }, query }, signal })),
    select: ({ total }) => total,
  });
}

/** The dataset whose views these are; see `Dataset.tsx`. */
export function useThisDataset(): Tagged<Dataset> {
  return useOutletContext<Tagged<Dataset>>();
}

/** Changes a dataset, unless somebody else has changed it since it was read. */
export function useChangeDataset({ value, etag }: Tagged<Dataset>, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (changes: Partial<Schemas['DatasetChanges']>) =>
      answer(api.PUT('/api/eval/datasets/{dataset_id}', { params: { path: { dataset_id: value.id }, header: { 'if-match': etag } }, body: { name: value.name, ...changes } })),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.datasets() }),
    onSuccess: onDone,
  });
}
