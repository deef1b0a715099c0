import type UPlot from 'uplot';

import type { PlotColours } from '~/ui/plot/Plot';

const FONT = '12px system-ui, sans-serif';

interface Wanted {
  colours: PlotColours;
  /** What stands below, from a time in seconds. */
  time: (seconds: number) => string;
  /** The values at the left. */
  value: (value: number) => string;
  /** Width of the left axis in CSS pixels. */
  width?: number;
}

/** The two axes of a plot, over time: quiet lines, values in the reader's language. */
export function timeAxes({ colours, time, value, width = 56 }: Wanted): UPlot.Axis[] {
  const shared = { stroke: colours.quiet, font: FONT, ticks: { show: false } };
  return [
    { ...shared, grid: { show: false }, size: 30, space: 96, values: (_, splits) => splits.map(time) },
    { ...shared, grid: { stroke: colours.line, width: 1 }, size: width, space: 36, values: (_, splits) => splits.map(value) },
  ];
}
