import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { type Tagged, tagged } from '~/api/tagged';
import { type Period, spanOf } from '~/screens/online/period';
import { readersZone } from '~/screens/schedules/zones';

export type OnlineRule = Schemas['OnlineRule'];
export type OnlineBucket = Schemas['OnlineBucket'];
export type OnlineRate = Schemas['OnlineRate'];
export type OnlineResult = Schemas['OnlineResult'];
export type Verdict = OnlineResult['verdict'];
/** A rule as it is sent. */
export type OnlineRuleGiven = Schemas['NewOnlineRule'];

export const VERDICTS: readonly Verdict[] = ['pass', 'fail', 'error'];
/** Up to which number the server counts results. */
export const MOST_COUNTED = 10_000;
/** Production arrives by itself. */
const POLL_MS = 10_000;

interface ListFilters {
  q: string;
  page: number;
  size: number;
}

interface ResultFilters {
  verdict: Verdict | undefined;
  since: string | undefined;
  page: number;
  size: number;
}

/** A page of the rules of a target, newest first. */
export function useOnlineRules(targetId: string, filters: ListFilters) {
  return useQuery({
    queryKey: keys.onlineRules(targetId, { ...filters }),
    queryFn: ({ signal }) => answer(api.GET('/api/targets/{target_id}/online-rules', { params: { path: { target_id: targetId }, query: filters }, signal })) as Promise<Schemas['PageOut_OnlineRule_']>,
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
}

export function useOnlineRule(targetId: string, ruleId: string) {
  return useQuery({
    queryKey: keys.onlineRule(targetId, ruleId),
    queryFn: ({ signal }) => tagged(api.GET('/api/targets/{target_id}/online-rules/{rule_id}', { params: { path: { target_id: targetId, rule_id: ruleId } }, signal })) as Promise<Tagged<OnlineRule>>,
    refetchInterval: POLL_MS,
  });
}

/** How a rule's rate went over a period that ends now, in the reader's own days. */
export function useOnlineRate({ target_id, id }: OnlineRule, period: Period) {
  return useQuery({
    queryKey: [...keys.onlineRule(target_id, id), 'rate', period],
    queryFn: ({ signal }) => {
      const { bucket, since } = spanOf(period, Date.now());
      const params = { path: { target_id, rule_id: id }, query: { bucket, since, zone: readersZone() } };
      return answer(api.GET('/api/targets/{target_id}/online-rules/{rule_id}/rate', { params, signal })) as Promise<OnlineRate>;
    },
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
}

/** What a rule said, newest executions first. */
export function useOnlineResults({ target_id, id }: OnlineRule, filters: ResultFilters) {
  return useQuery({
    queryKey: [...keys.onlineRule(target_id, id), 'results', filters],
    queryFn: ({ signal }) => answer(api.GET('/api/targets/{target_id}/online-rules/{rule_id}/results', { params: { path: { target_id, rule_id: id }, query: filters }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
}

/** What rules said of an execution. */
export function useExecutionResults(executionId: string) {
  return useQuery({
    queryKey: [...keys.execution(executionId), 'online'],
    queryFn: ({ signal }) => answer(api.GET('/api/executions/{execution_id}/online-results', { params: { path: { execution_id: executionId } }, signal })),
  });
}

/** Creates a rule, or changes the one that is given unless somebody else has changed it since it was read. */
export function useSaveRule(targetId: string, before: Tagged<OnlineRule> | undefined, onDone: (saved: OnlineRule) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: OnlineRuleGiven): Promise<OnlineRule> =>
      before === undefined
        ? asRule(api.POST('/api/targets/{target_id}/online-rules', { params: { path: { target_id: targetId } }, body }))
        : asRule(api.PUT('/api/targets/{target_id}/online-rules/{rule_id}', { params: { path: { target_id: targetId, rule_id: before.value.id }, header: { 'if-match': before.etag } }, body })),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: keys.online(targetId) }),
  });
}

/** Switches a rule on or off. */
export function useSwitchRule({ target_id, id }: OnlineRule, onDone: (changed: OnlineRule) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (enabled: boolean) => asRule(api.PUT('/api/targets/{target_id}/online-rules/{rule_id}', { params: { path: { target_id, rule_id: id } }, body: { enabled } as Schemas['OnlineRuleChanges'] })),
    onSuccess: onDone,
    onSettled: () => queries.invalidateQueries({ queryKey: keys.online(target_id) }),
  });
}

export function useDeleteRule({ target_id, id }: OnlineRule, onDone: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => answer(api.DELETE('/api/targets/{target_id}/online-rules/{rule_id}', { params: { path: { target_id, rule_id: id } } })),
    onSuccess: () => {
      onDone();
      queries.removeQueries({ queryKey: keys.onlineRule(target_id, id) });
      return queries.invalidateQueries({ queryKey: keys.online(target_id) });
    },
  });
}

/** An answer as the rule that it is: the call's own type does not know that an interval is a pair. */
const asRule = (call: Parameters<typeof answer>[0]) => answer(call) as Promise<OnlineRule>;
