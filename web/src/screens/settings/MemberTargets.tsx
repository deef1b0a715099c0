import { ActionIcon, Badge, Group, Text, Tooltip } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { GrantsDialog } from '~/screens/settings/GrantsDialog';
import { type Member, useGrants } from '~/screens/settings/members';
import { RoleGate, useMay } from '~/ui/RoleGate';

const NAMED = 3;

/** Which targets a member sees; owners change it, but for owners, who see everything. */
export function MemberTargets({ member }: { member: Member }) {
  const { t } = useTranslation('settings');
  const [opened, setOpened] = useState(false);
  if (member.role === 'owner') {
    return (
      <Tooltip label={t('grants.owner')}>
        <Text component="span" tabIndex={0}>
          {t('grants.all')}
        </Text>
      </Tooltip>
    );
  }
  return (
    <Group gap="xs" wrap="nowrap" justify="space-between">
      <Seen member={member} />
      <RoleGate role="owner">
        {(gate) => (
          <ActionIcon variant="subtle" color="gray" flex="none" aria-label={t('grants.change', { email: member.email })} onClick={() => setOpened(true)} {...gate}>
            <IconPencil size={16} aria-hidden />
          </ActionIcon>
        )}
      </RoleGate>
      <GrantsDialog member={member} opened={opened} onClose={() => setOpened(false)} />
    </Group>
  );
}

/** The names, for owners, who may see them all; how many, for the others. */
function Seen({ member }: { member: Member }) {
  const { t } = useTranslation('settings');
  const { may } = useMay('owner');
  const grants = useGrants(member.id, may && (member.granted ?? 0) > 0);
  if (member.granted === null) return <span>{t('grants.all')}</span>;
  const targets = grants.data?.targets;
  if (member.granted === 0) return <span>{t('grants.no')}</span>;
  if (!targets?.length) return <span>{t('grants.count', { count: member.granted })}</span>;
  return (
    <Group gap={4}>
      {targets.slice(0, NAMED).map(({ id, name }) => (
        <Badge key={id} color="gray" maw="100%">
          {name}
        </Badge>
      ))}
      {targets.length > NAMED && <Text size="sm">{t('grants.more', { count: targets.length - NAMED })}</Text>}
    </Group>
  );
}
