import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';

export type Entry = Schemas['LabellingEntry'];
export type Label = Schemas['Label'];
export type LabelVerdict = Label['verdict'];

/** Which result it is about. */
export interface Place {
  runId: string;
  caseId: string;
  trial: number;
}

export const ENTRIES_A_PAGE = 50;
const LOOKED_THROUGH = 200;

/** A page of the results to label, in their shuffled order; it says nothing of what the evaluators found. */
export const entriesQuery = (runId: string, page: number) =>
  queryOptions({
    queryKey: [...keys.labelling(runId), page],
    queryFn: ({ signal }) => answer(api.GET('/api/eval/runs/{run_id}/labelling', { params: { path: { run_id: runId }, query: { page, size: ENTRIES_A_PAGE } }, signal })),
  });

/** How many results nobody has labelled yet. */
export const unlabelledQuery = (runId: string) =>
  queryOptions({
    queryKey: [...keys.labelling(runId), 'unlabelled'],
    queryFn: ({ signal }) => answer(api.GET('/api/eval/runs/{run_id}/labelling', { params: { path: { run_id: runId }, query: { unlabelled: true, page: 1, size: 1 } }, signal })),
    select: ({ total }) => total,
  });

/** Where the first result stands that nobody labelled; behind the last one when all are. */
export const firstUnlabelledQuery = (runId: string) =>
  queryOptions({
    queryKey: [...keys.labelling(runId), 'first'],
    queryFn: async ({ signal }) => {
      for (let page = 1; ; page += 1) {
        const found = await answer(api.GET('/api/eval/runs/{run_id}/labelling', { params: { path: { run_id: runId }, query: { page, size: LOOKED_THROUGH } }, signal }));
        const at = found.items.findIndex(({ labelled }) => !labelled);
        if (at >= 0) return (page - 1) * LOOKED_THROUGH + at;
        if (page >= found.pages) return found.total;
      }
    },
    gcTime: 0,
  });

/** A result without any judge's word; the server leaves that out. */
export const blindQuery = ({ runId, caseId, trial }: Place) =>
  queryOptions({
    queryKey: [...keys.labelling(runId), 'blind', caseId, trial],
    queryFn: ({ signal }) =>
      answer(api.GET('/api/eval/runs/{run_id}/results/{case_id}', { params: { path: { run_id: runId, case_id: caseId }, query: { trial, blind: true } }, signal })) as Promise<Schemas['BlindResult']>,
  });

/** How many results of a run have a label. */
export const labelCountQuery = (runId: string) =>
  queryOptions({
    queryKey: [...keys.run(runId), 'labels', 'count'],
    queryFn: ({ signal }) => answer(api.GET('/api/eval/runs/{run_id}/labels', { params: { path: { run_id: runId }, query: { page: 1, size: 1 } }, signal })),
    select: ({ total }) => total,
  });

export interface Given extends Place {
  verdict: LabelVerdict;
  note: string;
}

/** Gives a label, or takes it away. `blind`: whether nothing of a judge was on the page. */
export function useLabel(blind: boolean) {
  const queries = useQueryClient();
  const onSettled = (_: unknown, __: Error | null, { runId }: Place) => {
    void queries.invalidateQueries({ queryKey: keys.labelling(runId) });
    void queries.invalidateQueries({ queryKey: keys.calibration({}).slice(0, 1) });
    // Where nothing of the judge may be fetched, nothing else of the run is asked for again.
    if (!blind) void queries.invalidateQueries({ queryKey: keys.run(runId) });
    else void queries.invalidateQueries({ queryKey: keys.run(runId), refetchType: 'none' });
  };
  const give = useMutation({
    mutationFn: ({ runId, caseId, trial, verdict, note }: Given) =>
      answer(api.PUT('/api/eval/runs/{run_id}/results/{case_id}/label', { params: { path: { run_id: runId, case_id: caseId }, query: { blind } }, body: { verdict, note: note.trim() || null, trial } })),
    onSettled,
  });
  const remove = useMutation({
    mutationFn: ({ runId, caseId, trial }: Place) => answer(api.DELETE('/api/eval/runs/{run_id}/results/{case_id}/label', { params: { path: { run_id: runId, case_id: caseId }, query: { trial } } })),
    onSettled,
  });
  return { give, remove };
}
