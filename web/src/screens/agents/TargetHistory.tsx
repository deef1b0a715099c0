import { Group, Paper, SegmentedControl, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { BeginEvaluation } from '~/screens/agents/BeginEvaluation';
import { EvaluationViews } from '~/screens/agents/EvaluationViews';
import { ChosenPair } from '~/screens/agents/rates/ChosenPair';
import { DatasetChoice } from '~/screens/agents/rates/DatasetChoice';
import { RatePlot } from '~/screens/agents/rates/RatePlot';
import { type Order, ordered, type RatePoint } from '~/screens/agents/rates/rateSeries';
import { RateTable } from '~/screens/agents/rates/RateTable';
import { MOST_RUNS, useRates } from '~/screens/agents/rates/useRates';
import { type Target, useThisTarget } from '~/screens/agents/targets';
import { EmptyState } from '~/ui/EmptyState';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { type ListParams, useListParams } from '~/ui/listParams';

/** How a target's versions did: rates with intervals, as a plot and as a table, two of which can be compared. */
export default function TargetHistory() {
  const target = useThisTarget().value;
  const { id } = target;
  const params = useListParams();
  const partial = params.filter('partial') === '1';
  const rates = useRates(id, params.filter('dataset'), partial);
  const { chosen, datasets, points, total } = rates;
  const { t } = useTranslation('agents');
  return (
    <>
      <EvaluationViews targetId={id} />
      {rates.error && <ErrorPanel error={rates.error} onRetry={rates.retry} />}
      {rates.pending && !rates.error && <Skeleton height={360} />}
      {!rates.pending && !rates.error && !chosen && <Nothing target={target} />}
      {chosen && !rates.pending && (
        <Stack gap="md">
          <Group align="flex-end" gap="md">
            <DatasetChoice datasets={datasets} value={chosen.id} onChange={(value) => params.setFilter('dataset', value)} />
            <OrderChoice params={params} />
            <Switch label={t('rates.partial')} checked={partial} onChange={({ currentTarget }) => params.setFilter('partial', currentTarget.checked ? '1' : null)} mb={8} />
          </Group>
          {points.length === 0 ? <Text py="lg">{t('rates.noneComplete')}</Text> : <Shown params={params} points={points} dataset={chosen.name} />}
          {total > MOST_RUNS && (
            <Text size="sm" c="dimmed">
              {t('rates.cut', { count: MOST_RUNS, total })}
            </Text>
          )}
        </Stack>
      )}
    </>
  );
}

const orderOf = (params: ListParams): Order => (params.filter('by') === 'version' ? 'version' : 'time');

function OrderChoice({ params }: { params: ListParams }) {
  const { t } = useTranslation('agents');
  return (
    <SegmentedControl
      aria-label={t('rates.order')}
      data={(['time', 'version'] as const).map((value) => ({ value, label: t(`rates.by.${value}`) }))}
      value={orderOf(params)}
      onChange={(value) => params.setFilter('by', value === 'version' ? value : null)}
    />
  );
}

/** The plot and the table; `?a=` and `?b=` are the runs to compare. */
function Shown({ params, points, dataset }: { params: ListParams; points: readonly RatePoint[]; dataset: string }) {
  const { t } = useTranslation('agents');
  const order = orderOf(params);
  const inOrder = ordered(points, order);
  const known = (id: string | null) => (points.some((point) => point.id === id) ? id : null);
  const chosen = { a: known(params.filter('a')), b: known(params.filter('b')) };
  const choose = (side: 'a' | 'b', id: string | null) => params.setFilter(side, id);
  const click = (id: string) => {
    const side = chosen.a === id ? 'a' : chosen.b === id ? 'b' : null;
    if (side) choose(side, null);
    else choose(chosen.a === null ? 'a' : 'b', id);
  };
  return (
    <>
      <Paper p="md">
        <RatePlot label={t('rates.plot', { dataset })} points={inOrder} joined={order === 'time'} {...chosen} onChoose={click} />
        <Text size="sm" c="dimmed" mt={4}>
          {t('rates.hint')}
        </Text>
      </Paper>
      <RateTable points={inOrder} chosen={chosen} onChoose={choose} />
      <ChosenPair points={points} chosen={chosen} onChange={params.setFilters} />
    </>
  );
}

function Nothing({ target }: { target: Target }) {
  const { t } = useTranslation('agents');
  return (
    <Paper>
      <EmptyState title={t('rates.emptyTitle')} text={t('rates.emptyText')} action={<BeginEvaluation target={target} />} />
    </Paper>
  );
}
