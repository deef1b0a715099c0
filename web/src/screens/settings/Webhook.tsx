import { Button, Group, Paper, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { SecretOnce } from '~/screens/settings/SecretOnce';
import { WebhookDeliveries } from '~/screens/settings/WebhookDeliveries';
import { WebhookHelp } from '~/screens/settings/WebhookHelp';
import { ConfirmDialog } from '~/ui/ConfirmDialog';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useFormat } from '~/ui/format';
import { RoleGate, useMay } from '~/ui/RoleGate';
import { toldFaults } from '~/ui/toldFaults';

type WebhookValue = Schemas['Webhook'];

/** Where notices are sent, how a receiver checks them, and how far the last ones got. Owners change it, all may read it. */
export default function Webhook() {
  const { t } = useTranslation('notices');
  const webhook = useQuery({ queryKey: keys.webhook(), queryFn: ({ signal }) => answer(api.GET('/api/workspace/webhook', { signal })) });
  return (
    <Stack gap="xl" maw={820}>
      <Text c="dimmed">{t('webhook.lead')}</Text>
      {webhook.isPending && <Skeleton height={200} />}
      {webhook.isError && <ErrorPanel error={webhook.error} onRetry={() => void webhook.refetch()} />}
      {webhook.data && <Where key={webhook.data.url} webhook={webhook.data} />}
      <WebhookDeliveries />
      <WebhookHelp />
    </Stack>
  );
}

function Where({ webhook }: { webhook: WebhookValue }) {
  const { t } = useTranslation('notices');
  const format = useFormat();
  const queries = useQueryClient();
  const { may } = useMay('owner');
  const [url, setUrl] = useState(webhook.url ?? '');
  const [missing, setMissing] = useState(false);
  const [made, setMade] = useState<Schemas['NewWebhook'] | null>(null);
  const [asking, setAsking] = useState<'rotate' | 'remove' | null>(null);
  // What is read anew draws this part anew, so it waits until the secret was seen.
  const settle = (next: WebhookValue) => queries.setQueryData(keys.webhook(), next);
  const set = useMutation({
    mutationFn: (body: Schemas['WebhookChange']) => answer(api.PUT('/api/workspace/webhook', { body })),
    onSuccess: (answered) => {
      setAsking(null);
      notifications.show({ message: answered.webhook.url ? t('webhook.set', { url: answered.webhook.url }) : t('webhook.removed') });
      if (answered.secret) setMade(answered);
      else settle(answered.webhook);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(!url.trim());
    if (url.trim()) set.mutate({ url: url.trim(), new_secret: false });
  };
  const told = toldFaults(set.error).url;
  return (
    <Paper p="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <Title order={2}>{t('webhook.title')}</Title>
          {webhook.url === null && <Text>{t('webhook.nowhere')}</Text>}
          <TextInput
            type="url"
            label={t('webhook.url')}
            description={t('webhook.urlHelp')}
            maxLength={2000}
            readOnly={!may}
            value={url}
            onChange={({ currentTarget }) => setUrl(currentTarget.value)}
            error={missing ? t('webhook.urlMissing') : told}
          />
          {set.error && !told && !asking && <ErrorPanel error={set.error} />}
          <Group>
            <RoleGate role="owner">
              {(gate) => (
                <Button type="submit" loading={set.isPending && !asking} {...gate}>
                  {t('webhook.save')}
                </Button>
              )}
            </RoleGate>
            {webhook.url !== null &&
              (['rotate', 'remove'] as const).map((what) => (
                <RoleGate key={what} role="owner">
                  {(gate) => (
                    <Button variant="default" onClick={() => setAsking(what)} {...gate}>
                      {t(`webhook.${what}`)}
                    </Button>
                  )}
                </RoleGate>
              ))}
          </Group>
          {webhook.url !== null && <TrySending />}
          {webhook.updated_at && (
            <Text size="sm" c="dimmed">
              {t('webhook.changed', { time: format.dateTime(webhook.updated_at) })}
            </Text>
          )}
        </Stack>
      </form>
      {asking && (
        <ConfirmDialog
          opened
          onClose={() => setAsking(null)}
          onConfirm={() => set.mutate(asking === 'rotate' ? { url: webhook.url, new_secret: true } : { url: null, new_secret: false })}
          title={t(`webhook.${asking}Title`)}
          text={t(`webhook.${asking}Text`)}
          confirmLabel={t(`webhook.${asking}Confirm`)}
          loading={set.isPending}
          error={set.error}
        />
      )}
      <SecretOnce
        title={t('webhook.secretTitle')}
        text={t('webhook.secretText')}
        label={t('webhook.secretLabel')}
        secret={made?.secret ?? null}
        onClose={() => {
          if (made) settle(made.webhook);
          setMade(null);
        }}
      />
    </Paper>
  );
}

/** Sends a message to the address that is saved, and tells what came of it. */
function TrySending() {
  const { t } = useTranslation('notices');
  const attempt = useMutation({ mutationFn: () => answer(api.POST('/api/workspace/webhook/test')) });
  const { data } = attempt;
  return (
    <Group>
      <RoleGate role="owner">
        {(gate) => (
          <Button variant="default" loading={attempt.isPending} onClick={() => attempt.mutate()} {...gate}>
            {t('webhook.test')}
          </Button>
        )}
      </RoleGate>
      <Text size="sm" role="status" flex="1 1 200px">
        {data && t(data.taken ? 'webhook.taken' : 'webhook.notTaken')} {data?.reason && <span lang="en">{data.reason}</span>}
      </Text>
      {attempt.error && <ErrorPanel error={attempt.error} />}
    </Group>
  );
}
