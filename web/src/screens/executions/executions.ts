import { keepPreviousData, useQuery } from '@tanstack/react-query';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import type { ListParams } from '~/ui/listParams';

export type Execution = Schemas['Execution'];
export type ExecutionEntry = Schemas['ExecutionEntry'];

export const SOURCES = ['run', 'runner', 'production'] as const;
export const STATUSES = ['ok', 'error', 'running', 'waiting'] as const;
/** How often an execution that is not over is asked for again; people answer more slowly than models. */
const RUNNING_MS = 1500;
const WAITING_MS = 5000;
/** Up to which number a list of executions is counted. */
export const MOST_COUNTED = 10_000;
/** Filters of the list that stand in the address, beside the search. */
export const FILTERS = ['target', 'source', 'status', 'time', 'since', 'until'] as const;
/** Names of periods, as the address has them, and their seconds. */
export const PERIODS = { '1h': 3600, '24h': 86_400, '7d': 7 * 86_400, '30d': 30 * 86_400 } as const;
export type Period = keyof typeof PERIODS;

/** A page of executions by what stands in the address: `target`, `source`, `status`, `time` or `since` and `until`, `q`. */
export function useExecutions(params: ListParams, targetId?: string) {
  const time = periodOf(params.filter('time'));
  const filters = {
    target_id: targetId ?? params.filter('target') ?? undefined,
    source: known(SOURCES, params.filter('source')),
    status: known(STATUSES, params.filter('status')),
    since: momentOf(params.filter('since')),
    until: momentOf(params.filter('until')),
    q: params.q,
    page: params.page,
    size: params.size,
  };
  return useQuery({
    queryKey: keys.executions({ ...filters, time }),
    queryFn: ({ signal }) => answer(api.GET('/api/executions', { params: { query: { ...filters, since: sinceOf(time) ?? filters.since } }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** An execution, followed while it goes on. `known`: what is known of it so far. */
export function useExecution(id: string, known?: Execution) {
  return useQuery({
    queryKey: keys.execution(id),
    queryFn: ({ signal }) => answer(api.GET('/api/executions/{execution_id}', { params: { path: { execution_id: id } }, signal })),
    initialData: known,
    // What came of traces may still grow: spans may be late.
    staleTime: ({ state }) => (isOver(state.data) && state.data?.source !== 'production' ? Infinity : 0),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? RUNNING_MS : state.data?.status === 'waiting' ? WAITING_MS : false),
  });
}

export function isOver(execution: Execution | undefined): boolean {
  return execution?.status === 'ok' || execution?.status === 'error';
}

/** What nobody offers is as good as not set. */
export function known<T extends string>(offered: readonly T[], value: string | null): T | undefined {
  return offered.find((each) => each === value);
}

export function periodOf(value: string | null): Period | undefined {
  return known(Object.keys(PERIODS) as Period[], value);
}

/** A moment as RFC 3339; undefined for what is none. */
export function momentOf(value: string | null): string | undefined {
  const time = value === null ? NaN : Date.parse(value);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** When a period that ends now began, as RFC 3339. */
function sinceOf(period: Period | undefined): string | undefined {
  return period && new Date(Date.now() - PERIODS[period] * 1000).toISOString();
}
