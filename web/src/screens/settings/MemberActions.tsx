import { ActionIcon, Menu, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots, IconKeyOff, IconLink, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { type Member, type NewMember, newLink, removeMember, resetPassword, useMemberChange } from '~/screens/settings/members';
import { ConfirmDialog } from '~/ui/ConfirmDialog';
import { RoleGate, useMay } from '~/ui/RoleGate';

interface Props {
  member: Member;
  self: boolean;
  lastOwner: boolean;
  /** A one-time link was made. */
  onLink: (member: NewMember) => void;
}

/** What an owner may do with a member, besides the role. */
export function MemberActions({ member, self, lastOwner, onLink }: Props) {
  const { t } = useTranslation('settings');
  const { may } = useMay('owner');
  const [asked, setAsked] = useState<'remove' | 'reset' | null>(null);
  const { email, id } = member;
  const link = useMemberChange(newLink, onLink);
  const reset = useMemberChange(resetPassword, (made) => {
    setAsked(null);
    onLink(made);
  });
  const remove = useMemberChange(removeMember, () => {
    setAsked(null);
    notifications.show({ message: t('members.removed', { email }) });
  });
  const close = () => {
    setAsked(null);
    remove.reset();
    reset.reset();
  };
  const failed = (error: Error) => notifications.show({ color: 'red', message: error.message });
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t('members.actionsOf', { email })}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Item icon={<IconLink size={16} aria-hidden />} onClick={() => link.mutate(id, { onError: failed })}>
            {t('members.link')}
          </Item>
          {member.has_password && (
            <Item icon={<IconKeyOff size={16} aria-hidden />} onClick={() => setAsked('reset')}>
              {t('members.reset')}
            </Item>
          )}
          {may && lastOwner ? (
            <Menu.Item disabled leftSection={<IconTrash size={16} aria-hidden />}>
              {t('members.remove')}
              <Text size="xs">{t('members.lastOwner')}</Text>
            </Menu.Item>
          ) : (
            <Item icon={<IconTrash size={16} aria-hidden />} onClick={() => setAsked('remove')}>
              {t('members.remove')}
            </Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ConfirmDialog
        opened={asked === 'remove'}
        onClose={close}
        onConfirm={() => remove.mutate(id)}
        title={t('members.removeTitle', { email })}
        text={
          <Stack gap="xs">
            <Text>{t('members.removeText')}</Text>
            {self && <Text fw={600}>{t('members.removeSelf')}</Text>}
          </Stack>
        }
        confirmLabel={t('members.remove')}
        loading={remove.isPending}
        error={remove.error}
      />
      <ConfirmDialog opened={asked === 'reset'} onClose={close} onConfirm={() => reset.mutate(id)} title={t('members.resetTitle', { email })} text={t('members.resetText')} confirmLabel={t('members.reset')} loading={reset.isPending} error={reset.error} />
    </>
  );
}

function Item({ icon, onClick, children }: { icon: ReactNode; onClick: () => void; children: ReactNode }) {
  return (
    <RoleGate role="owner">
      {(gate) => (
        <Menu.Item leftSection={icon} onClick={onClick} {...gate}>
          {children}
        </Menu.Item>
      )}
    </RoleGate>
  );
}
