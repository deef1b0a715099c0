import { Paper, SimpleGrid, Skeleton, Stack, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { tokensOf, type Usage as UsageValue, useCostText, useUnpricedText } from '~/screens/usage/cost';
import { PeriodChooser } from '~/screens/usage/PeriodChooser';
import { periodOf, todayUtc } from '~/screens/usage/period';
import { UsageByDay, UsageByModel } from '~/screens/usage/UsageTables';
import { UsagePlot } from '~/screens/usage/UsagePlot';
import { EmptyState } from '~/ui/EmptyState';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { Figures } from '~/ui/Figures';
import { useFormat } from '~/ui/format';
import { useListParams } from '~/ui/listParams';
import { PageHeader } from '~/ui/PageHeader';

/** What targets and judges used of models, in a period. */
export default function Usage() {
  const { t } = useTranslation('usage');
  const params = useListParams();
  const [today] = useState(todayUtc);
  const period = periodOf(params, today);
  const { since, until } = period;
  const usage = useQuery({
    queryKey: keys.usage({ since, until }),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/usage', { params: { query: { since, until } }, signal })),
    placeholderData: keepPreviousData,
    enabled: since <= until,
  });
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} />
      <PeriodChooser period={period} params={params} />
      {usage.isError && <ErrorPanel error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.isLoading && <Skeleton height={360} />}
      {usage.data && !usage.isError && <Report report={usage.data} />}
    </>
  );
}

function Report({ report }: { report: Schemas['UsageReport'] }) {
  const { t } = useTranslation('usage');
  if (report.days.length === 0) {
    return (
      <Paper>
        <EmptyState title={t('empty.title')} text={t('empty.text')} />
      </Paper>
    );
  }
  return (
    <Stack gap="xl">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Total title={t('side.target')} usage={report.target} />
        <Total title={t('side.judge')} usage={report.judge} />
      </SimpleGrid>
      <UsagePlot report={report} />
      <UsageByModel report={report} />
      <UsageByDay report={report} />
    </Stack>
  );
}

/** What one side used in all. */
function Total({ title, usage }: { title: string; usage: UsageValue }) {
  const { t } = useTranslation(['usage', 'ui']);
  const format = useFormat();
  const costOf = useCostText();
  const unpricedOf = useUnpricedText();
  const none = usage.calls === 0;
  return (
    <Paper p="lg" component="section" aria-label={title}>
      <Title order={2} mb="sm">
        {title}
      </Title>
      <Figures
        figures={[
          { name: t('calls'), value: format.number(usage.calls) },
          {
            name: t('tokens'),
            value: none ? '–' : format.number(tokensOf(usage)),
            more: !none && t('ui:tokens', { input: format.number(usage.input_tokens), output: format.number(usage.output_tokens) }),
          },
          { name: t('cost'), value: costOf(usage), more: unpricedOf(usage) },
        ]}
      />
    </Paper>
  );
}
