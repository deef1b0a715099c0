import { Group, Paper, SegmentedControl, Text } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type UPlot from 'uplot';

import type { Schemas } from '~/api/client';
import { MEASURES, usageSeries } from '~/screens/usage/usageSeries';
import { useFormat } from '~/ui/format';
import { useListParams } from '~/ui/listParams';
import { stackedBars } from '~/ui/plot/bars';
import { LazyPlot } from '~/ui/plot/LazyPlot';
import type { PlotColours } from '~/ui/plot/Plot';

import classes from './UsagePlot.module.css';

const HEIGHT = 240;
const SIDES = ['target', 'judge'] as const;

/** A measure (`?show=` in the address) by day: targets below, hatched upon them the judges. */
export function UsagePlot({ report }: { report: Schemas['UsageReport'] }) {
  const { t, i18n } = useTranslation('usage');
  const params = useListParams();
  const format = useFormat();
  const measure = MEASURES.find((each) => each === params.filter('show')) ?? 'tokens';
  const series = useMemo(() => usageSeries(report, measure), [report, measure]);
  const data = useMemo<UPlot.AlignedData>(() => [series.times, series.both.map(bar), series.target.map(bar)], [series]);
  const nothing = !series.both.some((value) => value !== null && value > 0);
  const options = useCallback(
    (colours: PlotColours, library: typeof UPlot) => {
      const day = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
      const short = new Intl.NumberFormat(i18n.language, { notation: 'compact' });
      return stackedBars({ library, colours, times: series.times, day: (seconds) => day.format(new Date(seconds * 1000)), value: measure === 'cost' ? format.money : (value) => short.format(value) });
    },
    [series.times, measure, format, i18n.language],
  );
  return (
    <Paper p="md">
      <Group justify="space-between" mb="sm">
        <ul className={classes.legend}>
          {SIDES.map((side) => (
            <li key={side}>
              <span className={classes.swatch} data-side={side} aria-hidden />
              {t(`side.${side}`)}
            </li>
          ))}
        </ul>
        <SegmentedControl size="xs" aria-label={t('plot.show')} data={MEASURES.map((value) => ({ value, label: t(value) }))} value={measure} onChange={(value) => params.setFilter('show', value)} />
      </Group>
      {nothing ? <Text py="lg">{t('plot.nothing')}</Text> : <LazyPlot label={t('plot.label', { what: t(measure) })} height={HEIGHT} data={data} options={options} />}
      {measure === 'cost' && !nothing && <CostNote report={report} gaps={series.gaps} />}
    </Paper>
  );
}

/** A day of nothing has no bar, not even a flat one. */
const bar = (value: number | null) => (value === 0 ? null : value);

/** What the plot cannot show of a cost that is not wholly known. */
function CostNote({ report, gaps }: { report: Schemas['UsageReport']; gaps: boolean }) {
  const { t } = useTranslation('usage');
  const unpriced = report.target.unpriced + report.judge.unpriced;
  if (unpriced === 0) return null;
  return (
    <Text size="sm" c="dimmed" mt="xs">
      {t('unpriced', { count: unpriced })}. {t(gaps ? 'plot.gaps' : 'plot.partial')}
    </Text>
  );
}
