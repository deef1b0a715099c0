import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { type Run, runListQuery } from '~/screens/runs/runQueries';

export type Notice = Schemas['Notice'];

/** A notice is of a run that took a while, so a minute later is soon enough; the window's focus asks too. */
const POLL_MS = 60_000;
const SENDING_MS = 5_000;
const LOOKED_BACK = 50;

interface Filters {
  schedule_id?: string;
  unread?: boolean;
  page: number;
  size: number;
}

/** A page of notices, newest first. `last`: what it is asked again behind, such as the last firing of its schedule. */
export function useNotices(filters: Filters, last?: string) {
  return useQuery({
    queryKey: keys.noticeList({ ...filters, last }),
    queryFn: ({ signal }) => answer(api.GET('/api/notices', { params: { query: filters }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(({ delivery }) => delivery.status === 'pending' && delivery.attempts === 0) ? SENDING_MS : POLL_MS),
  });
}

/** How many notices the reader has not read; 0 while that is not known. */
export function useUnreadCount(): number {
  return useNotices({ page: 1, size: 1 }).data?.unread ?? 0;
}

/** Marks one notice as read. */
export function useMarkRead() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => answer(api.POST('/api/notices/{notice_id}/read', { params: { path: { notice_id: id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.notices() }),
  });
}

export function useMarkAllRead(onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answer(api.POST('/api/notices/read')),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: keys.notices() }),
  });
}

export interface Told {
  /** The run that a notice is of, and the schedule's completed one before it; undefined where not known. */
  run?: Run;
  before?: Run;
}

/** The runs that a notice is about, as far back as they are looked for. All notices of a schedule share the asking. */
export function useTold({ schedule_id, run_id, kind }: Notice): Told {
  const wanted = run_id !== null && kind !== 'failed';
  const runs = useQuery({ ...runListQuery({ schedule_id, status: ['completed'], page: 1, size: LOOKED_BACK }), staleTime: POLL_MS, enabled: wanted });
  return wanted ? toldOf(runs.data?.items ?? [], run_id) : {};
}

/** Of completed runs, the newest first: the one that is named, and the one before it. Ids grow with time. */
export function toldOf(runs: readonly Run[], runId: string): Told {
  return { run: runs.find(({ id }) => id === runId), before: runs.find(({ id }) => id < runId) };
}

/** Where a run is compared with the one before it; with one that is yet to be chosen, where that is not known. */
export function comparisonAddress(runId: string, before: Run | undefined): string {
  return `/compare?${new URLSearchParams({ ...(before && { a: before.id }), b: runId }).toString()}`;
}
