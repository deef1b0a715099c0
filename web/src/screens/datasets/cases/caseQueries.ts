import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { type Tagged, tagged } from '~/api/tagged';
import type { Case, CaseValues } from '~/screens/datasets/cases/caseDraft';

export interface CaseFilters {
  q: string;
  status?: Schemas['CaseStatus'];
  enabled?: boolean;
  tag?: string;
  page: number;
  size: number;
}

export function useCases(datasetId: string, filters: CaseFilters) {
  return useQuery({
    queryKey: keys.cases(datasetId, { ...filters }),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/datasets/{dataset_id}/cases', { params: { path: { dataset_id: datasetId }, query: filters }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** One case as it is now. It is not asked again while somebody works on it, which would take away what they typed. */
export function useCase(datasetId: string, caseId: string) {
  return useQuery({
    queryKey: [...keys.cases(datasetId, { id: caseId }), 'tagged'],
    queryFn: ({ signal }) => tagged(api.GET('/api/eval/datasets/{dataset_id}/cases/{case_id}', { params: { path: { dataset_id: datasetId, case_id: caseId } }, signal })),
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** Adds a case, or changes the stored one unless somebody else has changed it since it was read. */
export function useSaveCase(datasetId: string, stored: Tagged<Case> | undefined) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ values, etag = stored?.etag }: { values: Partial<CaseValues>; etag?: string }) => {
      const body = { ...values, ...('key' in values && { key: values.key || null }) };
      const path = { dataset_id: datasetId };
      if (!stored) return answer(api.POST('/api/eval/datasets/{dataset_id}/cases', { params: { path }, body }));
      return answer(api.PUT('/api/eval/datasets/{dataset_id}/cases/{case_id}', { params: { path: { ...path, case_id: stored.value.id }, header: { 'if-match': etag } }, body }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.datasets() }),
  });
}

/** Does the same to several cases. */
export function useChangeCases(datasetId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['Several']) => answer(api.POST('/api/eval/datasets/{dataset_id}/cases/bulk', { params: { path: { dataset_id: datasetId } }, body })),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.datasets() }),
  });
}
