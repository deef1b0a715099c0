import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useSession } from '~/api/session';
import { AddMember } from '~/screens/settings/AddMember';
import { MemberActions } from '~/screens/settings/MemberActions';
import { MemberTargets } from '~/screens/settings/MemberTargets';
import { isLastOwner, linkAddress, type Member, type NewMember, useMembers } from '~/screens/settings/members';
import { RoleChoice } from '~/screens/settings/RoleChoice';
import { SecretOnce } from '~/screens/settings/SecretOnce';
import { type Column, DataTable } from '~/ui/DataTable';
import { useListParams } from '~/ui/listParams';
import { RoleGate } from '~/ui/RoleGate';
import { DateTime, EmailText } from '~/ui/Values';

/** Who may sign in, and what they may do. Everyone sees it; owners change it. */
export default function Members() {
  const { t } = useTranslation('settings');
  const params = useListParams();
  const members = useMembers(params.page);
  const [adding, setAdding] = useState(false);
  const [linked, setLinked] = useState<NewMember | null>(null);
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed">{t('members.lead')}</Text>
        <RoleGate role="owner">
          {(gate) => (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)} {...gate}>
              {t('members.add')}
            </Button>
          )}
        </RoleGate>
      </Group>
      <DataTable
        label={t('members.label')}
        query={members}
        params={params}
        columns={useColumns({ members: members.data?.items ?? [], onLink: setLinked })}
        rowKey={({ id }) => id}
        searchable={false}
        empty={{ title: t('members.add'), text: t('members.lead') }}
      />
      <AddMember opened={adding} onClose={() => setAdding(false)} onAdded={setLinked} />
      <SecretOnce
        title={t('members.linkTitle', { email: linked?.member.email ?? '' })}
        text={t('members.linkText')}
        label={t('members.linkLabel')}
        secret={linked?.link ? linkAddress(linked.link) : null}
        onClose={() => setLinked(null)}
      />
    </Stack>
  );
}

interface ColumnsOf {
  members: readonly Member[];
  onLink: (member: NewMember) => void;
}

function useColumns({ members, onLink }: ColumnsOf): Column<Member>[] {
  const { t } = useTranslation('settings');
  const me = useSession().data?.member_id;
  const about = (member: Member) => ({ member, self: member.id === me, lastOwner: isLastOwner(member, members) });
  return [
    { key: 'email', header: t('members.email'), width: '28%', cell: (member) => <Email {...about(member)} /> },
    { key: 'role', header: t('members.role'), cell: (member) => <RoleChoice {...about(member)} /> },
    { key: 'targets', header: t('grants.column'), width: '27%', cell: (member) => <MemberTargets member={member} /> },
    { key: 'signIn', header: t('members.signIn'), cell: ({ has_password }) => t(has_password ? 'members.byPassword' : 'members.byLink') },
    { key: 'seen', header: t('members.lastSeen'), cell: ({ last_seen_at }) => (last_seen_at ? <DateTime time={last_seen_at} /> : t('members.never')) },
    { key: 'actions', header: t('members.actions'), align: 'right', width: '1px', cell: (member) => <MemberActions {...about(member)} onLink={onLink} /> },
  ];
}

function Email({ member, self }: { member: Member; self: boolean }) {
  const { t } = useTranslation('settings');
  return (
    <Group gap="xs">
      <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
        <EmailText email={member.email} />
      </Text>
      {self && <Badge color="gray">{t('members.you')}</Badge>}
    </Group>
  );
}
