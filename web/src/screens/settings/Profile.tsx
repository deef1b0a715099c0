import { Button, Group, Paper, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { useSession } from '~/api/session';
import { PasswordForm } from '~/screens/settings/PasswordForm';
import { useMembers } from '~/screens/settings/members';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { Figures } from '~/ui/Figures';
import { RoleGate, useMay } from '~/ui/RoleGate';

/** Oneself: who one is, the password; and the workspace's name. */
export default function Profile() {
  const session = useSession();
  if (!session.data) return <Skeleton height={240} />;
  return (
    <Stack gap="lg" maw={640}>
      <You principal={session.data} />
      <Password principal={session.data} />
      <WorkspaceName key={session.data.workspace.name} name={session.data.workspace.name} />
    </Stack>
  );
}

function You({ principal }: { principal: Schemas['Principal'] }) {
  const { t } = useTranslation(['settings', 'common']);
  return (
    <Paper p="lg">
      <Title order={2} mb="sm">
        {t('profile.you')}
      </Title>
      <Figures
        figures={[
          { name: t('profile.email'), value: principal.name },
          { name: t('profile.role'), value: t(`common:role.${principal.role}`) },
          { name: t('profile.workspace'), value: principal.workspace.name },
        ]}
      />
    </Paper>
  );
}

/** Whether one has a password is told by the list of members. */
function Password({ principal }: { principal: Schemas['Principal'] }) {
  const { t } = useTranslation('settings');
  const members = useMembers();
  const me = members.data?.items.find(({ id }) => id === principal.member_id);
  return (
    <Paper p="lg">
      <Title order={2} mb="sm">
        {t('profile.password')}
      </Title>
      {principal.member_id === null && <Text>{t('profile.noMember', { name: principal.name })}</Text>}
      {members.isError && <ErrorPanel error={members.error} onRetry={() => void members.refetch()} />}
      {principal.member_id !== null && members.data && <PasswordForm hasPassword={me?.has_password ?? true} />}
    </Paper>
  );
}

function WorkspaceName({ name }: { name: string }) {
  const { t } = useTranslation(['settings', 'common']);
  const queries = useQueryClient();
  const { may, reason } = useMay('owner');
  const [typed, setTyped] = useState(name);
  const rename = useMutation({
    mutationFn: (wanted: string) => answer(api.PUT('/api/workspace', { body: { name: wanted } })),
    onSuccess: () => {
      notifications.show({ message: t('profile.nameDone') });
      void queries.invalidateQueries({ queryKey: keys.session() });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (may && typed.trim()) rename.mutate(typed.trim());
  };
  return (
    <Paper p="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Title order={2}>{t('profile.workspace')}</Title>
          <TextInput
            label={t('profile.name')}
            description={may ? undefined : reason}
            required
            maxLength={200}
            readOnly={!may}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            error={typed.trim() ? undefined : t('profile.nameMissing')}
          />
          {rename.error && <ErrorPanel error={rename.error} />}
          <Group>
            <RoleGate role="owner">
              {(gate) => (
                <Button type="submit" variant="default" loading={rename.isPending} {...gate}>
                  {t('common:save')}
                </Button>
              )}
            </RoleGate>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
