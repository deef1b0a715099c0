import { queryOptions } from '@tanstack/react-query';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import type { Verdict } from '~/ui/VerdictBadge';

export type Run = Schemas['RunView'];
export type Result = Schemas['ResultView'];

/** Which results of a run; what is left out lets all through. */
export interface ResultFilter {
  verdict?: Verdict;
  q?: string;
}

export const RESULTS_A_PAGE = 50;
const CHOICES = 50;

// The client reads pairs of numbers as arrays of any length, hence the types that are named here.

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: keys.run(id),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/runs/{run_id}', { params: { path: { run_id: id } }, signal })) as Promise<Schemas['RunPage']>,
  });

/** A run without its results. */
export const runStateQuery = (id: string) =>
  queryOptions({
    queryKey: [...keys.run(id), 'state'],
    queryFn: ({ signal }) => answer(api.GET('/api/eval/runs/{run_id}/state', { params: { path: { run_id: id } }, signal })) as Promise<Run>,
  });

/** `ended`: what it is reckoned from changes when the run is resumed and ends anew. */
export const planningQuery = (id: string, ended: string | null) =>
  queryOptions({
    queryKey: [...keys.run(id), 'planning', ended],
    queryFn: ({ signal }) => answer(api.GET('/api/eval/runs/{run_id}/planning', { params: { path: { run_id: id } }, signal })),
    staleTime: Infinity,
  });

type RunFilter = { target_id?: string; dataset_id?: string; schedule_id?: string; status?: Schemas['RunStatus'][]; q?: string; page?: number; size?: number };

export const runListQuery = (filter: RunFilter) =>
  queryOptions({
    queryKey: keys.runList(filter),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/runs', { params: { query: filter }, signal })) as Promise<Schemas['PageOut_RunView_']>,
  });

export const resultsQuery = (runId: string, filter: ResultFilter, page: number, size = RESULTS_A_PAGE) =>
  queryOptions({
    queryKey: keys.results(runId, { ...filter, page, size }),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/runs/{run_id}/results', { params: { path: { run_id: runId }, query: { ...filter, page, size } }, signal })),
  });

export const resultQuery = (runId: string, caseId: string, trial: number) =>
  queryOptions({
    queryKey: [...keys.result(runId, caseId), trial],
    queryFn: ({ signal }) => answer(api.GET('/api/eval/runs/{run_id}/results/{case_id}', { params: { path: { run_id: runId, case_id: caseId }, query: { trial } }, signal })) as Promise<Schemas['CaseDetail']>,
  });

export const comparisonQuery = (a: string, b: string) =>
  queryOptions({
    queryKey: keys.comparison(a, b),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/compare', { params: { query: { a, b } }, signal })) as Promise<Schemas['Comparison']>,
    // It is large, and does not change once both runs have ended.
    staleTime: 60_000,
  });

export const targetChoicesQuery = (q: string) =>
  queryOptions({
    queryKey: keys.targetList({ q, size: CHOICES }),
    queryFn: ({ signal }) => answer(api.GET('/api/targets', { params: { query: { q, size: CHOICES } }, signal })),
  });

export const targetQuery = (id: string) =>
  queryOptions({
    queryKey: keys.target(id),
    queryFn: ({ signal }) => answer(api.GET('/api/targets/{target_id}', { params: { path: { target_id: id } }, signal })),
  });

export const versionChoicesQuery = (targetId: string) =>
  queryOptions({
    queryKey: [...keys.targetVersions(targetId), 'choices'],
    queryFn: ({ signal }) => answer(api.GET('/api/targets/{target_id}/versions', { params: { path: { target_id: targetId }, query: { size: 200 } }, signal })),
  });

/** `targetId`: only those that are meant for that target. */
export const datasetChoicesQuery = (q: string, targetId?: string) => {
  const query = { q, size: CHOICES, target_id: targetId };
  return queryOptions({
    queryKey: keys.datasetList(query),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/datasets', { params: { query }, signal })),
  });
};

export const datasetQuery = (id: string) =>
  queryOptions({
    queryKey: keys.dataset(id),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/datasets/{dataset_id}', { params: { path: { dataset_id: id } }, signal })),
  });

/** How many cases of a dataset would run now. */
export const readyCasesQuery = (id: string) => {
  const query = { page: 1, size: 1, enabled: true, status: 'ready' as const };
  return queryOptions({
    queryKey: keys.cases(id, query),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/datasets/{dataset_id}/cases', { params: { path: { dataset_id: id }, query }, signal })),
    select: ({ total }) => total,
  });
};

export const modelsQuery = () =>
  queryOptions({
    queryKey: ['models'],
    queryFn: ({ signal }) => answer(api.GET('/api/models', { signal })),
    staleTime: 60_000,
  });

/** Whether somebody should be working on the run. An interrupted one is not followed: nothing comes of it. */
export const isLive = (run: Run) => (run.status === 'pending' || run.status === 'running') && !run.interrupted;
export const isOver = (run: Run) => run.status === 'completed' || run.status === 'cancelled' || run.status === 'failed';
export const targetName = (run: Run) => `${run.target_name} v${run.target_version}`;
