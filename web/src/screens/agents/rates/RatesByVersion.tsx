import { Group, Paper, Select, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId, useMemo } from 'react';
import { useTranslation } from 'react-i18next';

import { RatePlot } from '~/screens/agents/rates/RatePlot';
import { datasetsOf, ratePoints } from '~/screens/agents/rates/rateSeries';
import { RateTable } from '~/screens/agents/rates/RateTable';
import { runListQuery } from '~/screens/runs/runQueries';
import { useListParams } from '~/ui/listParams';

const MOST_RUNS = 200;

/** How the versions of a target did over time, on one dataset (`?dataset=`). Nothing where nothing was evaluated. */
export function RatesByVersion({ targetId }: { targetId: string }) {
  const { t } = useTranslation('agents');
  const id = useId();
  const params = useListParams();
  const runs = useQuery(runListQuery({ target_id: targetId, status: ['completed'], page: 1, size: MOST_RUNS }));
  const items = useMemo(() => (runs.data?.items ?? []).filter(({ rate }) => rate !== null), [runs.data]);
  const datasets = useMemo(() => datasetsOf(items), [items]);
  const chosen = datasets.find((dataset) => dataset.id === params.filter('dataset')) ?? datasets[0];
  const points = useMemo(() => ratePoints(items.filter(({ dataset_id }) => dataset_id === chosen?.id)), [items, chosen?.id]);
  if (!chosen || points.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" align="flex-end" mb="sm">
        <div>
          <Title order={2} id={id}>
            {t('rates.title')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('rates.text')}
          </Text>
        </div>
        <Select
          label={t('rates.dataset')}
          data={datasets.map((dataset) => ({ value: dataset.id, label: dataset.name }))}
          value={chosen.id}
          onChange={(value) => params.setFilter('dataset', value)}
          allowDeselect={false}
          maw={280}
        />
      </Group>
      <Paper p="md">
        <RatePlot label={t('rates.plot', { dataset: chosen.name })} points={points} />
        <RateTable points={points} />
      </Paper>
    </section>
  );
}
