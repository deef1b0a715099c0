import { ActionIcon, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { NewKey } from '~/screens/settings/NewKey';
import { OwnersOnly } from '~/screens/settings/OwnersOnly';
import { SecretOnce } from '~/screens/settings/SecretOnce';
import { ConfirmDialog } from '~/ui/ConfirmDialog';
import { type Column, DataTable } from '~/ui/DataTable';
import { useFormat } from '~/ui/format';
import { useListParams } from '~/ui/listParams';
import { DateTime } from '~/ui/Values';

type ApiKey = Schemas['ApiKey'];

/** The keys of programs, for owners. */
export default function ApiKeys() {
  const { t } = useTranslation('settings');
  return (
    <OwnersOnly reason={t('ownersOnly.keys')}>
      <Keys />
    </OwnersOnly>
  );
}

function Keys() {
  const { t } = useTranslation('settings');
  const params = useListParams();
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<Schemas['NewApiKey'] | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const { page, size } = params;
  const query = useQuery({
    queryKey: [...keys.apiKeys(), { page, size }],
    queryFn: ({ signal }) => answer(api.GET('/api/auth/api-keys', { params: { query: { page, size } }, signal })),
    placeholderData: keepPreviousData,
  });
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setAdding(true)}>
      {t('keys.add')}
    </Button>
  );
  return (
    <Stack>
      <Group justify="space-between">
        <Text c="dimmed">{t('keys.lead')}</Text>
        {add}
      </Group>
      <DataTable
        label={t('keys.label')}
        query={query}
        params={params}
        columns={useColumns(setRevoking)}
        rowKey={({ id }) => id}
        searchable={false}
        empty={{ title: t('keys.emptyTitle'), text: t('keys.emptyText'), action: add }}
      />
      <NewKey opened={adding} onClose={() => setAdding(false)} onMade={setMade} />
      <SecretOnce title={t('keys.secretTitle', { name: made?.key.name ?? '' })} text={t('keys.secretText')} label={t('keys.secretLabel')} secret={made?.secret ?? null} onClose={() => setMade(null)} />
      <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />
    </Stack>
  );
}

function useColumns(onRevoke: (key: ApiKey) => void): Column<ApiKey>[] {
  const { t } = useTranslation(['settings', 'common']);
  return [
    { key: 'name', header: t('keys.name'), width: '30%', cell: ({ name, prefix }) => <Named name={name} prefix={prefix} /> },
    { key: 'role', header: t('keys.role'), cell: ({ role }) => t(`common:role.${role}`) },
    { key: 'expires', header: t('keys.expiry'), cell: (key) => <Expiry time={key.expires_at} /> },
    { key: 'used', header: t('keys.used'), cell: ({ last_used_at }) => (last_used_at ? <DateTime time={last_used_at} /> : t('keys.never')) },
    { key: 'created', header: t('keys.created'), cell: (key) => <Created apiKey={key} /> },
    {
      key: 'actions',
      header: t('keys.actions'),
      align: 'right',
      cell: (key) => (
        <ActionIcon variant="subtle" color="gray" aria-label={t('keys.revokeOf', { name: key.name })} onClick={() => onRevoke(key)}>
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      ),
    },
  ];
}

function Named({ name, prefix }: { name: string; prefix: string }) {
  return (
    <div>
      <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      <Text ff="monospace" size="sm" c="dimmed">{`${prefix}…`}</Text>
    </div>
  );
}

function Created({ apiKey: { created_at, created_by } }: { apiKey: ApiKey }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  return (
    <div>
      <time dateTime={created_at}>{format.date(created_at)}</time>
      <Text size="sm" c="dimmed">
        {t('keys.by', { name: created_by })}
      </Text>
    </div>
  );
}

function Expiry({ time }: { time: string | null }) {
  const { t } = useTranslation('settings');
  const format = useFormat();
  const [now] = useState(() => Date.now());
  if (time === null) return t('keys.expires.never');
  return (
    <Group gap="xs" wrap="nowrap">
      <time dateTime={time}>{format.date(time)}</time>
      {Date.parse(time) < now && <Badge color="gray">{t('keys.expired')}</Badge>}
    </Group>
  );
}

function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey | null; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const queries = useQueryClient();
  const [shown, setShown] = useState(apiKey);
  if (apiKey && apiKey !== shown) setShown(apiKey);
  const name = shown?.name ?? '';
  const revoke = useMutation({
    mutationFn: (id: string) => answer(api.DELETE('/api/auth/api-keys/{key_id}', { params: { path: { key_id: id } } })),
    onSuccess: () => {
      notifications.show({ message: t('keys.revoked', { name }) });
      void queries.invalidateQueries({ queryKey: keys.apiKeys() });
      onClose();
    },
  });
  const close = () => {
    onClose();
    revoke.reset();
  };
  return (
    <ConfirmDialog
      opened={apiKey !== null}
      onClose={close}
      onConfirm={() => apiKey && revoke.mutate(apiKey.id)}
      title={t('keys.revokeTitle', { name })}
      text={t('keys.revokeText')}
      confirmLabel={t('keys.revoke')}
      loading={revoke.isPending}
      error={revoke.error}
    />
  );
}
