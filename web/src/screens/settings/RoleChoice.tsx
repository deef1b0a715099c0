import { Select, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Role } from '~/api/session';
import { type Member, ROLES, setRole, useMemberChange } from '~/screens/settings/members';
import { ConfirmDialog } from '~/ui/ConfirmDialog';
import { useErrorText } from '~/ui/errorText';
import { useMay } from '~/ui/RoleGate';

interface Props {
  member: Member;
  self: boolean;
  lastOwner: boolean;
}

/** The role of a member, which counts as soon as it is chosen; giving up one's own is asked first. */
export function RoleChoice({ member, self, lastOwner }: Props) {
  const { t } = useTranslation(['settings', 'common']);
  const { may, reason } = useMay('owner');
  const [wanted, setWanted] = useState<Role | null>(null);
  const change = useMemberChange(setRole, ({ email, role }) => {
    notifications.show({ message: t('members.roleDone', { email, role: t(`common:role.${role}`) }) });
    setWanted(null);
  });
  const fault = useErrorText(change.error);
  const why = !may ? reason : lastOwner ? t('members.lastOwner') : null;
  const choose = (role: Role) => {
    if (self) setWanted(role);
    else change.mutate({ id: member.id, role });
  };
  if (why !== null) {
    return (
      <Tooltip label={why}>
        <Text component="span" tabIndex={0}>
          {t(`common:role.${member.role}`)}
        </Text>
      </Tooltip>
    );
  }
  return (
    <>
      <Select
        aria-label={t('members.roleOf', { email: member.email })}
        data={ROLES.map((role) => ({ value: role, label: t(`common:role.${role}`) }))}
        value={member.role}
        onChange={(role) => role && role !== member.role && choose(role as Role)}
        allowDeselect={false}
        disabled={change.isPending}
        error={change.error && !wanted ? fault.detail || fault.title : undefined}
        size="xs"
        w={150}
        maw="100%"
      />
      <ConfirmDialog
        opened={wanted !== null}
        onClose={() => {
          setWanted(null);
          change.reset();
        }}
        onConfirm={() => wanted && change.mutate({ id: member.id, role: wanted })}
        title={t('members.demoteTitle')}
        text={t('members.demoteText')}
        confirmLabel={t('members.demoteConfirm')}
        loading={change.isPending}
        error={change.error}
      />
    </>
  );
}
