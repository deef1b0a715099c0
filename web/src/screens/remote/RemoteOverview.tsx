import { Anchor, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { Target } from '~/screens/agents/targets';
import { MOST_COUNTED } from '~/screens/executions/executions';
import { IngestionFigures } from '~/screens/remote/IngestionFigures';
import { useLastTrace } from '~/screens/remote/ingestion';
import { SendTraces } from '~/screens/remote/SendTraces';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { Figures } from '~/ui/Figures';
import { useFormat } from '~/ui/format';
import { DateTime } from '~/ui/Values';

/** What there is to say of a target that is only observed: what came of it, and how it sends. */
export function RemoteOverview({ target }: { target: Target }) {
  const { t } = useTranslation('remote');
  const note = target.active_version?.definition.note;
  return (
    <>
      <Section title={t('received.title')} lead={t('lead')}>
        {typeof note === 'string' && note !== '' && <Text mb="sm">{note}</Text>}
        <Received target={target} />
      </Section>
      <Section title={t('send.title')}>
        <Paper p="lg">
          <SendTraces target={target.name} />
        </Paper>
      </Section>
      <Section title={t('ingestion.title')} lead={t('ingestion.lead')}>
        <IngestionFigures />
      </Section>
    </>
  );
}

function Received({ target: { id } }: { target: Target }) {
  const { t } = useTranslation('remote');
  const format = useFormat();
  const last = useLastTrace(id);
  if (last.isError) return <ErrorPanel error={last.error} onRetry={() => void last.refetch()} />;
  if (last.isPending) return <Skeleton height={96} />;
  const { items, total } = last.data;
  const [newest] = items;
  return (
    <Paper p="lg">
      <Stack gap="sm">
        <Figures
          figures={[
            { name: t('received.last'), value: newest ? <DateTime time={newest.created_at} /> : t('received.never') },
            { name: t('received.executions'), value: total > MOST_COUNTED ? t('received.moreThan', { number: MOST_COUNTED }) : format.number(total) },
          ]}
        />
        {newest && (
          <Anchor component={Link} to={`/agents/${id}/executions`}>
            {t('received.see')}
          </Anchor>
        )}
      </Stack>
    </Paper>
  );
}

function Section({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id} mb={lead ? 4 : 'sm'}>
        {title}
      </Title>
      {lead && (
        <Text c="dimmed" size="sm" mb="sm">
          {lead}
        </Text>
      )}
      {children}
    </section>
  );
}
