import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useOutletContext } from 'react-router';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { type Tagged, tagged } from '~/api/tagged';
import { useKindWords } from '~/ui/kindWords';

export type Target = Schemas['TargetDetail'];
export type TargetRecord = Schemas['TargetRecord'];
export type Version = Schemas['TargetVersion'];
export type Kind = Schemas['KindInfo'];

interface ListFilters {
  q: string;
  kind: string | null;
  page: number;
  size: number;
}

/** Kinds change only when the server does. */
const FOREVER = { staleTime: Infinity };
/** Most versions that a choice or a comparison offers. */
const MOST_VERSIONS = 200;

export function useTargetKinds() {
  return useQuery({ queryKey: keys.targetKinds(), queryFn: ({ signal }) => answer(api.GET('/api/target-kinds', { signal })), ...FOREVER });
}

export function useToolKinds() {
  return useQuery({ queryKey: ['kinds', 'tool'], queryFn: ({ signal }) => answer(api.GET('/api/tool-kinds', { signal })), ...FOREVER });
}

export function useTargets(filters: ListFilters) {
  return useQuery({
    queryKey: keys.targetList({ ...filters }),
    queryFn: ({ signal }) => answer(api.GET('/api/targets', { params: { query: filters }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function useTarget(id: string) {
  return useQuery({
    queryKey: [...keys.target(id), 'tagged'],
    queryFn: ({ signal }) => tagged(api.GET('/api/targets/{target_id}', { params: { path: { target_id: id } }, signal })),
  });
}

/** The target whose views these are; see `Target.tsx`. */
export function useThisTarget(): Tagged<Target> {
  return useOutletContext<Tagged<Target>>();
}

export function useVersions(id: string, page: number, size: number) {
  return useQuery({
    queryKey: [...keys.targetVersions(id), { page, size }],
    queryFn: ({ signal }) => answer(api.GET('/api/targets/{target_id}/versions', { params: { path: { target_id: id }, query: { page, size } }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** All versions, newest first, as far as a choice has room for them. */
export function useVersionChoices(id: string) {
  return useVersions(id, 1, MOST_VERSIONS);
}

/** One version with its definition; nothing is asked for null. */
export function useVersion(id: string, number: number | null) {
  return useQuery({
    queryKey: [...keys.targetVersions(id), number],
    queryFn: ({ signal }) => answer(api.GET('/api/targets/{target_id}/versions/{number}', { params: { path: { target_id: id, number: number ?? 0 } }, signal })),
    enabled: number !== null,
    staleTime: Infinity,
  });
}

/** Makes a version the one that runs where none is named. `reason`: why it may, although the gate refuses it. */
export function useActivate(id: string, onDone: (target: Target) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ number, reason }: { number: number; reason: string | null }) =>
      answer(api.POST('/api/targets/{target_id}/versions/{number}/activate', { params: { path: { target_id: id, number } }, body: { override: reason === null ? null : { reason } } })),
    onSuccess: async (target) => {
      await queries.invalidateQueries({ queryKey: keys.targets() });
      onDone(target);
    },
  });
}

/** An agent that runs elsewhere, and is only observed by its traces. */
const REMOTE = 'remote';
const NAMED = ['agent', 'workflow', 'openai', 'http', 'python', 'replay', REMOTE] as const;

/** Whether targets of that kind cannot be run from here. */
export const isRemote = (kind: string) => kind === REMOTE;

/** The short name of a kind of target, by its word in the API. */
export function useKindName(): (kind: string) => string {
  const { t } = useTranslation('agents');
  const words = useKindWords();
  return (kind) => {
    const named = NAMED.find((known) => known === kind);
    return named ? t(`kindName.${named}`) : words('target', { kind, title: '', doc: '' }).name;
  };
}
