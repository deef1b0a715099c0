import { Button, Group, NumberInput, Paper, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { IngestionFigures } from '~/screens/remote/IngestionFigures';
import { isTighter, type Limits, limitOf } from '~/screens/settings/limits';
import { ConfirmDialog } from '~/ui/ConfirmDialog';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { RoleGate, useMay } from '~/ui/RoleGate';
import { toldFaults } from '~/ui/toldFaults';

type RetentionValue = Schemas['Retention-Output'];

/** How long executions of production are kept, and what became of the spans that came. Owners change it. */
export default function Retention() {
  const { t } = useTranslation(['settings', 'remote']);
  const retention = useQuery({ queryKey: keys.retention(), queryFn: ({ signal }) => answer(api.GET('/api/workspace/retention', { signal })) });
  return (
    <Stack gap="xl" maw={820}>
      <Text c="dimmed">{t('retention.lead')}</Text>
      {retention.isPending && <Skeleton height={220} />}
      {retention.isError && <ErrorPanel error={retention.error} onRetry={() => void retention.refetch()} />}
      {retention.data && <Form stored={retention.data} />}
      <section aria-label={t('remote:ingestion.title')}>
        <Title order={2} mb={4}>
          {t('remote:ingestion.title')}
        </Title>
        <Text c="dimmed" size="sm" mb="sm">
          {t('remote:ingestion.lead')}
        </Text>
        <IngestionFigures />
      </section>
    </Stack>
  );
}

function Form({ stored }: { stored: RetentionValue }) {
  const { t } = useTranslation('settings');
  const { may } = useMay('owner');
  const queries = useQueryClient();
  const [days, setDays] = useState<string | number>(stored.days ?? '');
  const [megabytes, setMegabytes] = useState<string | number>(stored.megabytes ?? '');
  const [asked, setAsked] = useState(false);
  const wanted: Limits = { days: limitOf(days), megabytes: limitOf(megabytes) };
  const save = useMutation({
    mutationFn: (body: Limits) => answer(api.PUT('/api/workspace/retention', { body })),
    onSuccess: (now) => {
      queries.setQueryData(keys.retention(), now);
      notifications.show({ message: t('retention.done') });
    },
    onSettled: () => setAsked(false),
  });
  const told = toldFaults(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isTighter(wanted, stored)) setAsked(true);
    else save.mutate(wanted);
  };
  const field = { min: 1, allowDecimal: false, allowNegative: false, placeholder: t('retention.forEver'), readOnly: !may };
  return (
    <Paper p="lg">
      <form onSubmit={submit} noValidate>
        <Stack>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NumberInput label={t('retention.days')} description={t('retention.daysHelp')} {...field} thousandSeparator=" " max={36_500} value={days} onChange={setDays} error={told.days} />
            <NumberInput label={t('retention.megabytes')} description={t('retention.megabytesHelp')} {...field} thousandSeparator=" " max={100_000_000} value={megabytes} onChange={setMegabytes} error={told.megabytes} />
          </SimpleGrid>
          <Text size="sm" c="dimmed">
            {t('retention.both')}
          </Text>
          {save.error && !told.days && !told.megabytes && <ErrorPanel error={save.error} />}
          <Group>
            <RoleGate role="owner">
              {(gate) => (
                <Button type="submit" loading={save.isPending && !asked} {...gate}>
                  {t('retention.save')}
                </Button>
              )}
            </RoleGate>
          </Group>
        </Stack>
      </form>
      <ConfirmDialog opened={asked} onClose={() => setAsked(false)} onConfirm={() => save.mutate(wanted)} title={t('retention.askTitle')} text={t('retention.askText')} confirmLabel={t('retention.confirm')} loading={save.isPending} />
    </Paper>
  );
}
