import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type UPlot from 'uplot';

import type { OnlineRate } from '~/screens/online/onlineQueries';
import { useFormat } from '~/ui/format';
import { timeAxes } from '~/ui/plot/axes';
import { LazyPlot } from '~/ui/plot/LazyPlot';
import type { PlotColours } from '~/ui/plot/Plot';

const HEIGHT = 240;
const BAND = 0.2;
const SECOND_MS = 1000;

/** One stretch of time in which something was decided, in seconds and in shares of 0..1. */
interface Span {
  start: number;
  end: number;
  low: number;
  high: number;
}

/** The rate over time: a line with a mark for each hour or day, behind it the band of its interval. A gap is one where nothing was decided. */
export function OnlineRatePlot({ rate }: { rate: OnlineRate }) {
  const { t, i18n } = useTranslation('online');
  const format = useFormat();
  const { bucket, buckets } = rate;
  const data = useMemo<UPlot.AlignedData>(() => [buckets.map(({ start, end }) => (seconds(start) + seconds(end)) / 2), buckets.map((each) => each.rate)], [buckets]);
  const options = useCallback(
    (colours: PlotColours) => {
      const short = bucket === 'hour' && buckets.length <= 48;
      const when = new Intl.DateTimeFormat(i18n.language, short ? { weekday: 'short', hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' });
      const spans = buckets.flatMap(({ start, end, rate: share, interval: [low, high] }) => (share === null ? [] : [{ start: seconds(start), end: seconds(end), low, high }]));
      const from = seconds(buckets[0]?.start ?? rate.total.start);
      return plotOptions({ colours, spans, range: [from, seconds(rate.total.end)], time: (at) => when.format(new Date(at * SECOND_MS)), share: format.percent });
    },
    [bucket, buckets, rate.total, format, i18n.language],
  );
  return <LazyPlot label={t('plot.label')} height={HEIGHT} data={data} options={options} />;
}

interface Wanted {
  colours: PlotColours;
  spans: readonly Span[];
  range: [number, number];
  time: (seconds: number) => string;
  share: (share: number) => string;
}

function plotOptions({ colours, spans, range, time, share }: Wanted): Omit<UPlot.Options, 'width' | 'height'> {
  return {
    scales: { x: { time: true, range: () => range }, y: { range: () => [0, 1] } },
    axes: timeAxes({ colours, time, value: share }),
    series: [{}, { stroke: colours.first, width: 2, spanGaps: false, points: { show: true, size: 7, fill: colours.first, stroke: colours.surface, width: 1 } }],
    hooks: { drawAxes: [(plot) => drawBands(plot, spans, colours.first)] },
  };
}

/** The intervals behind the line, each as wide as its stretch of time. */
function drawBands(plot: UPlot, spans: readonly Span[], colour: string): void {
  const { ctx } = plot;
  ctx.save();
  ctx.globalAlpha = BAND;
  ctx.fillStyle = colour;
  for (const { start, end, low, high } of spans) {
    const [left, right] = [plot.valToPos(start, 'x', true), plot.valToPos(end, 'x', true)];
    const [top, bottom] = [plot.valToPos(high, 'y', true), plot.valToPos(low, 'y', true)];
    ctx.fillRect(left, top, Math.max(right - left - 1, 1), Math.max(bottom - top, 1));
  }
  ctx.restore();
}

function seconds(time: string): number {
  return Date.parse(time) / SECOND_MS;
}
