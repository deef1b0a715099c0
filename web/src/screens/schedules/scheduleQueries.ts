import { keepPreviousData, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { type Tagged, tagged } from '~/api/tagged';
import { isLive, type Run } from '~/screens/runs/runQueries';

export type Schedule = Schemas['Schedule'];
export type Firing = Schemas['Firing'];
/** When a schedule fires. */
export type Timing = Pick<Schedule, 'start' | 'end' | 'zone' | 'recurrence'>;

/** How many runs are looked at to tell how schedules went lately. */
const LATEST_RUNS = 100;
/** How long a firing takes to be seen: each server looks every second. */
const SEEN_MS = 2_000;
const POLL_MS = 3_000;
const OVERDUE_MS = 60_000;
const MOST_MS = 3_600_000;

interface ListFilters {
  target_id: string | undefined;
  q: string;
  page: number;
  size: number;
}

/** A page of schedules. It is asked again when the next one of them has fired, and no sooner. */
export function useSchedules(filters: ListFilters) {
  return useQuery({
    queryKey: keys.scheduleList({ ...filters }),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/schedules', { params: { query: filters }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => untilFired(state.data?.items ?? [], Date.now()),
  });
}

export const scheduleQuery = (id: string) =>
  queryOptions({
    queryKey: keys.schedule(id),
    queryFn: ({ signal }) => tagged(api.GET('/api/eval/schedules/{schedule_id}', { params: { path: { schedule_id: id } }, signal })),
  });

/** A schedule, asked again when it has fired. */
export function useSchedule(id: string) {
  return useQuery({ ...scheduleQuery(id), refetchInterval: ({ state }) => untilFired(state.data ? [state.data.value] : [], Date.now()) });
}

/** Milliseconds from `now` until the first of them has fired; false when none will within an hour, a long time for a page. */
export function untilFired(schedules: readonly Pick<Schedule, 'next_at'>[], now: number): number | false {
  const times = schedules.flatMap(({ next_at }) => (next_at === null ? [] : [Date.parse(next_at)]));
  const wait = Math.min(...times) - now + SEEN_MS;
  if (wait > MOST_MS) return false;
  // One that is long overdue waits for a server that fires it.
  return wait < -OVERDUE_MS ? OVERDUE_MS : Math.max(wait, POLL_MS);
}

/** What came of a schedule's firings, newest first. `last`: the id of the last one, so that they are asked again behind it. */
export function useFirings(id: string, page: number, size: number, last: string | undefined) {
  return useQuery({
    queryKey: [...keys.schedule(id), 'firings', { page, size }, last],
    queryFn: ({ signal }) => answer(api.GET('/api/eval/schedules/{schedule_id}/firings', { params: { path: { schedule_id: id }, query: { page, size } }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** The latest runs of a schedule, or of a target's schedules, newest first; asked again while one of them goes on. */
export function useScheduledRuns(of: { schedule_id?: string; target_id?: string }, last: string, enabled: boolean) {
  const filters = { ...of, page: 1, size: LATEST_RUNS };
  return useQuery({
    queryKey: [...keys.runList(filters), last],
    queryFn: ({ signal }) => answer(api.GET('/api/eval/runs', { params: { query: filters }, signal })) as Promise<Schemas['PageOut_RunView_']>,
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isLive) ? POLL_MS : false),
  });
}

/** Runs by the schedule that started them, newest first; those that people started are left out. */
export function bySchedule(runs: readonly Run[]): Map<string, Run[]> {
  const groups = new Map<string, Run[]>();
  for (const run of runs) {
    if (run.schedule_id !== null) groups.set(run.schedule_id, [...(groups.get(run.schedule_id) ?? []), run]);
  }
  return groups;
}

export const previewQuery = (timing: Timing) =>
  queryOptions({
    queryKey: [...keys.schedules(), 'preview', timing],
    queryFn: ({ signal }) => answer(api.POST('/api/eval/schedules/preview', { body: timing, signal })),
    staleTime: 30_000,
  });

/** Creates a schedule, or changes the one that is given unless somebody else has changed it since it was read. */
export function useSaveSchedule(before: Tagged<Schedule> | undefined, onDone: (saved: Schedule) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas['ScheduleGiven']) =>
      before === undefined
        ? answer(api.POST('/api/eval/schedules', { body }))
        : answer(api.PUT('/api/eval/schedules/{schedule_id}', { params: { path: { schedule_id: before.value.id }, header: { 'if-match': before.etag } }, body })),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: keys.schedules() }),
  });
}

export function usePauseOrResume(schedule: Schedule, onDone: (changed: Schedule) => void) {
  const queries = useQueryClient();
  const params = { path: { schedule_id: schedule.id } };
  return useMutation({
    mutationFn: () => answer(schedule.paused ? api.POST('/api/eval/schedules/{schedule_id}/resume', { params }) : api.POST('/api/eval/schedules/{schedule_id}/pause', { params })),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: keys.schedules() }),
  });
}

export function useDeleteSchedule(id: string, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answer(api.DELETE('/api/eval/schedules/{schedule_id}', { params: { path: { schedule_id: id } } })),
    onSuccess: () => {
      onDone();
      void queries.invalidateQueries({ queryKey: [...keys.schedules(), 'list'] });
    },
  });
}
