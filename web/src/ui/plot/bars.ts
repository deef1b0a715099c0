import type UPlot from 'uplot';

import { timeAxes } from '~/ui/plot/axes';
import type { PlotColours } from '~/ui/plot/Plot';

const HALF_DAY = 43_200;

interface Wanted {
  library: typeof UPlot;
  colours: PlotColours;
  /** The beginnings of the days, in seconds. */
  times: readonly number[];
  day: (seconds: number) => string;
  value: (value: number) => string;
}

/** Bars by day of two parts: the data's first row is the whole, hatched; its second one the lower part, solid. */
export function stackedBars({ library, colours, times, day, value }: Wanted): Omit<UPlot.Options, 'width' | 'height'> {
  const paths = library.paths.bars?.({ size: [0.7, 48] });
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const shared = { paths, points: { show: false }, width: 1 };
  return {
    // Days are told in UTC.
    tzDate: (seconds) => library.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    scales: {
      x: { time: true, range: [first - HALF_DAY, last + HALF_DAY] },
      y: { range: (_, __, most) => [0, most > 0 ? most * 1.08 : 1] },
    },
    axes: timeAxes({ colours, time: day, value, width: 64 }),
    series: [{}, { ...shared, stroke: colours.second, fill: () => hatching(colours.second) }, { ...shared, stroke: colours.first, fill: colours.first }],
  };
}

/** Slanted lines, so that the part is told apart without its colour. */
function hatching(colour: string): CanvasPattern | string {
  const scale = window.devicePixelRatio;
  const size = Math.round(6 * scale);
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const ctx = tile.getContext('2d');
  if (!ctx) return colour;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5 * scale;
  ctx.beginPath();
  for (const shift of [-size, 0, size]) {
    ctx.moveTo(shift, size);
    ctx.lineTo(shift + size, 0);
  }
  ctx.stroke();
  return ctx.createPattern(tile, 'repeat') ?? colour;
}
