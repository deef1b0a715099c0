import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { historyAddress } from '~/screens/agents/addresses';
import { DatasetChoice } from '~/screens/agents/rates/DatasetChoice';
import { RatePlot } from '~/screens/agents/rates/RatePlot';
import { useRates } from '~/screens/agents/rates/useRates';
import { useListParams } from '~/ui/listParams';

/** How the versions of a target did over time, on one dataset (`?dataset=`). Nothing where nothing was evaluated. */
export function RatesByVersion({ targetId }: { targetId: string }) {
  const { t } = useTranslation('agents');
  const id = useId();
  const params = useListParams();
  const { datasets, chosen, points } = useRates(targetId, params.filter('dataset'));
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
        <DatasetChoice datasets={datasets} value={chosen.id} onChange={(value) => params.setFilter('dataset', value)} />
      </Group>
      <Paper p="md">
        <RatePlot label={t('rates.plotHere', { dataset: chosen.name })} points={points} joined />
        <Anchor component={Link} to={historyAddress(targetId, chosen.id)} size="sm" display="inline-block" mt="sm">
          {t('rates.more')}
        </Anchor>
      </Paper>
    </section>
  );
}
