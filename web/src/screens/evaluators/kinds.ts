import { useQuery } from '@tanstack/react-query';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { useKindWords } from '~/ui/kindWords';

export type Kind = Schemas['KindInfo'];

const GROUPS = {
  exact: ['exact_match', 'contains', 'regex'],
  judges: ['behavior_judge', 'output_judge', 'llm_judge', 'json_judge', 'trajectory_judge', 'simulation_judge'],
  json: ['json_path', 'json_schema', 'json_similarity'],
  tools: ['tool_call_order', 'tool_call_count', 'tool_call_args', 'tool_call_output'],
  limits: ['latency', 'cost_limit', 'token_limit'],
  code: ['python'],
} as const;

export type Group = keyof typeof GROUPS | 'more';

/** What each kind of evaluator is and what it takes. It changes only when the server does. */
export function useEvaluatorKinds() {
  return useQuery({
    queryKey: keys.evaluatorKinds(),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/evaluator-kinds', { signal })),
    staleTime: Infinity,
  });
}

/** Where a kind is listed. Kinds that plug-ins bring stand under "more". */
export function groupOf(kind: string): Group {
  const found = (Object.keys(GROUPS) as (keyof typeof GROUPS)[]).find((group) => (GROUPS[group] as readonly string[]).includes(kind));
  return found ?? 'more';
}

/** The kinds by group, in reading order; groups without any are left out. */
export function grouped(kinds: readonly Kind[]): { group: Group; kinds: Kind[] }[] {
  const order = [...Object.keys(GROUPS), 'more'] as Group[];
  const place = (kind: string, group: Group) => (group === 'more' ? 0 : (GROUPS[group] as readonly string[]).indexOf(kind));
  return order
    .map((group) => ({ group, kinds: kinds.filter(({ kind }) => groupOf(kind) === group).sort((a, b) => place(a.kind, group) - place(b.kind, group)) }))
    .filter(({ kinds: found }) => found.length > 0);
}

/** The short name of a kind, by its word in the API. */
export function useKindName(): (kind: string) => string {
  const words = useKindWords();
  return (kind) => words('evaluator', { kind, title: '', doc: '' }).name;
}
