import { Group, Paper, SegmentedControl, Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { type OnlineBucket, type OnlineRule, useOnlineRate } from '~/screens/online/onlineQueries';
import { OnlineRatePlot } from '~/screens/online/OnlineRatePlot';
import { PERIODS, periodOf } from '~/screens/online/period';
import { RateRows } from '~/screens/online/RateRows';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useFormat } from '~/ui/format';
import { type Figure, Figures } from '~/ui/Figures';
import type { ListParams } from '~/ui/listParams';
import { useRateText } from '~/ui/RateInterval';

/** How the rate of a rule went over a period (`?period=` in the address), as figures, as a plot and as rows. */
export function RatePart({ rule, params }: { rule: OnlineRule; params: ListParams }) {
  const { t } = useTranslation('online');
  const period = periodOf(params.filter('period'));
  const rate = useOnlineRate(rule, period);
  const figures = useFigures();
  return (
    <Paper p="md" mb="lg">
      <Group justify="space-between" mb="md">
        <Text fw={600}>{t('rate.title')}</Text>
        <SegmentedControl size="xs" aria-label={t('rate.period')} data={PERIODS.map((value) => ({ value, label: t(`period.${value}`) }))} value={period} onChange={(value) => params.setFilter('period', value)} />
      </Group>
      {rate.isError && !rate.data && <ErrorPanel error={rate.error} onRetry={() => void rate.refetch()} />}
      {rate.isPending && <Skeleton height={300} />}
      {rate.data && (
        <>
          <Figures figures={figures(rate.data.total)} />
          {rate.data.total.rate === null ? (
            <Text py="lg" c="dimmed">
              {t('rate.nothing')}
            </Text>
          ) : (
            <OnlineRatePlot rate={rate.data} />
          )}
          <RateRows rate={rate.data} />
        </>
      )}
    </Paper>
  );
}

function useFigures(): (total: OnlineBucket) => Figure[] {
  const { t } = useTranslation('online');
  const format = useFormat();
  const textOf = useRateText();
  return ({ passed, failed, errors, skipped, gone, rate, interval: [low, high], judge_noise, cost, unpriced }) => [
    { name: t('rate.rate'), value: rate === null ? t('rate.none') : format.percent(rate), more: rate !== null && textOf({ passed, failed, low, high, judgeNoise: judge_noise }) },
    { name: t('rate.errors'), value: format.number(errors) },
    ...(skipped > 0 ? [{ name: t('rate.skipped'), value: format.number(skipped), more: t('rate.skippedWhy') }] : []),
    ...(gone > 0 ? [{ name: t('rate.gone'), value: format.number(gone), more: t('rate.goneWhy') }] : []),
    ...(cost !== null || unpriced > 0 ? [{ name: t('rate.cost'), value: format.money(cost), more: unpriced > 0 ? t('rate.unpriced', { count: unpriced }) : undefined }] : []),
  ];
}
