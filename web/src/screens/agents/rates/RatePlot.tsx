import { useCallback, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type UPlot from 'uplot';

import type { RatePoint } from '~/screens/agents/rates/rateSeries';
import { timeAxes } from '~/ui/plot/axes';
import { LazyPlot } from '~/ui/plot/LazyPlot';
import type { PlotColours } from '~/ui/plot/Plot';

const HEIGHT = 230;
const DAY_MS = 86_400_000;
const MARK = 4;
const TICK = 4;
const LABEL_FONT = '600 12px system-ui, sans-serif';

/**
 * Rates in the order of the runs, each with its interval as a bar and, where the version changes, its number above. Runs
 * stand evenly, since many are often made within an hour, and then none for weeks.
 */
export function RatePlot({ label, points }: { label: string; points: readonly RatePoint[] }) {
  const { i18n } = useTranslation();
  const data = useMemo<UPlot.AlignedData>(() => [points.map((_, index) => index), points.map(({ rate }) => rate)], [points]);
  const options = useCallback(
    (colours: PlotColours) => {
      const when = whenFormat(i18n.language, points);
      const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' });
      const timeOf = (index: number) => (points[index] ? when.format(new Date(points[index].finished)) : '');
      return {
        scales: { x: { time: false, range: [-0.5, points.length - 0.5] as UPlot.Range.MinMax }, y: { range: [0, 1.12] as UPlot.Range.MinMax } },
        axes: timeAxes({ colours, time: timeOf, value: (share) => (share <= 1 ? percent.format(share) : ''), steps: [1, 2, 5, 10, 20, 50, 100] }),
        series: [{}, { stroke: colours.line, width: 1.5, points: { show: true, size: 2 * MARK, fill: colours.first, stroke: colours.first } }],
        hooks: { draw: [(plot: UPlot) => drawIntervals(plot, points, colours)] },
      };
    },
    [points, i18n.language],
  );
  return <LazyPlot label={label} height={HEIGHT} data={data} options={options} />;
}

/** Hours where all runs are of two days, else days. */
function whenFormat(language: string, points: readonly RatePoint[]): Intl.DateTimeFormat {
  const [first, last] = [points[0], points.at(-1)].map((point) => Date.parse(point?.finished ?? ''));
  const short = Number(last) - Number(first) < 2 * DAY_MS;
  return new Intl.DateTimeFormat(language, short ? { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } : { day: 'numeric', month: 'short' });
}

/** A bar from low to high through each mark, and the number of each version that begins. */
function drawIntervals(plot: UPlot, points: readonly RatePoint[], colours: PlotColours): void {
  const { ctx } = plot;
  const scale = window.devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = colours.first;
  ctx.fillStyle = colours.text;
  ctx.lineWidth = 1.5 * scale;
  ctx.font = LABEL_FONT.replace('12px', `${12 * scale}px`);
  ctx.textAlign = 'center';
  points.forEach(({ low, high, version }, index) => {
    const x = plot.valToPos(index, 'x', true);
    const [bottom, top] = [plot.valToPos(low, 'y', true), plot.valToPos(high, 'y', true)];
    ctx.beginPath();
    for (const y of [bottom, top]) {
      ctx.moveTo(x - TICK * scale, y);
      ctx.lineTo(x + TICK * scale, y);
    }
    ctx.moveTo(x, bottom);
    ctx.lineTo(x, top);
    ctx.stroke();
    if (points[index - 1]?.version !== version) ctx.fillText(`v${version}`, x, top - 8 * scale);
  });
  ctx.restore();
}
