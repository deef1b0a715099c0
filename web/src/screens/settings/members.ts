import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';

export type Member = Schemas['Member'];
export type NewMember = Schemas['NewMember'];
export type GrantedTarget = Schemas['GrantedTarget'];

export const ROLES = ['viewer', 'editor', 'owner'] as const;
/** Most that one page of the server holds; workspaces are smaller. */
const MOST = 200;

export function useMembers(page = 1) {
  return useQuery({ queryKey: [...keys.members(), page], queryFn: ({ signal }) => answer(api.GET('/api/members', { params: { query: { page, size: MOST } }, signal })) });
}

/** The targets that a member is narrowed to; null for all. Only owners may ask. */
export function useGrants(id: string, enabled = true) {
  return useQuery({
    queryKey: [...keys.members(), id, 'grants'],
    queryFn: ({ signal }) => answer(api.GET('/api/members/{member_id}/grants', { params: { path: { member_id: id } }, signal })),
    enabled,
  });
}

/** Whether a member is the only owner, who can neither leave nor lose the role. */
export function isLastOwner(member: Member, all: readonly Member[]): boolean {
  return member.role === 'owner' && all.filter(({ role }) => role === 'owner').length === 1;
}

/** A change of the members, after which the list is asked again. */
export function useMemberChange<Given, Answer>(change: (given: Given) => Promise<Answer>, onDone: (answer: Answer, given: Given) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (value, given) => {
      void queries.invalidateQueries({ queryKey: keys.members() });
      void queries.invalidateQueries({ queryKey: keys.session() });
      onDone(value, given);
    },
  });
}

export const addMember = (body: Schemas['MemberWish']) => answer(api.POST('/api/members', { body }));

export const setRole = ({ id, role }: { id: string; role: Schemas['Role'] }) => answer(api.PUT('/api/members/{member_id}', { params: { path: { member_id: id } }, body: { role } }));

export const setGrants = ({ id, targets }: { id: string; targets: string[] | null }) => answer(api.PUT('/api/members/{member_id}/grants', { params: { path: { member_id: id } }, body: { targets } }));

export const removeMember = (id: string) => answer(api.DELETE('/api/members/{member_id}', { params: { path: { member_id: id } } }));

export const newLink = (id: string): Promise<NewMember> => answer(api.POST('/api/members/{member_id}/link', { params: { path: { member_id: id } } }));

/** Takes the password away and makes the link by which a new one can be set. */
export async function resetPassword(id: string): Promise<NewMember> {
  await answer(api.PUT('/api/members/{member_id}', { params: { path: { member_id: id } }, body: { password: null } }));
  return newLink(id);
}

/** The address of a one-time link's path. */
export function linkAddress(path: string): string {
  return new URL(path, window.location.origin).toString();
}
