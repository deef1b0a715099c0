import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';

import { answer, api, type Schemas } from '~/api/client';
import { ApiError } from '~/api/errors';
import { keys } from '~/api/keys';
import { tagged } from '~/api/tagged';

export type GateState = Schemas['GateState'];
export type PolicyState = Schemas['PolicyState'];
export type Override = Schemas['Override'];

const MOST_OVERRIDES = 200;

/** What a target's gate says of a version, with the policies' ETag; of the newest one for null. */
export const gateQuery = (targetId: string, version: number | null) =>
  queryOptions({
    queryKey: [...keys.gate(targetId), version],
    queryFn: ({ signal }) => tagged(api.GET('/api/targets/{target_id}/gate', { params: { path: { target_id: targetId }, query: { version } }, signal })),
    // What it rests on changes with runs, edits of datasets and other people's doings.
    staleTime: 0,
  });

/** What the policies on a run's dataset say of the version that it evaluated. */
export const runGateQuery = (runId: string) =>
  queryOptions({
    queryKey: [...keys.run(runId), 'gate'],
    queryFn: ({ signal }) => answer(api.GET('/api/eval/runs/{run_id}/gate', { params: { path: { run_id: runId } }, signal })),
    staleTime: 0,
  });

/** The exceptions that owners made for a target, newest first. */
export const overridesQuery = (targetId: string) =>
  queryOptions({
    queryKey: [...keys.gate(targetId), 'overrides'],
    queryFn: ({ signal }) => answer(api.GET('/api/targets/{target_id}/overrides', { params: { path: { target_id: targetId }, query: { page: 1, size: MOST_OVERRIDES } }, signal })),
  });

/** Sets all policies of a target, unless somebody else has changed them since they were read. */
export function useSetGate(targetId: string, etag: string, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['Gate']) => answer(api.PUT('/api/targets/{target_id}/gate', { params: { path: { target_id: targetId }, header: { 'if-match': etag } }, body })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keys.gate(targetId) });
      onDone();
    },
  });
}

/** What the gate said when it refused an activation; null for any other error. */
export function refusalOf(error: unknown): GateState | null {
  if (!(error instanceof ApiError) || error.code !== 'gate_refused') return null;
  return (error.problem.gate as GateState | undefined) ?? null;
}
