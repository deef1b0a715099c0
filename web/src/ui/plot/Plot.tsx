import 'uplot/dist/uPlot.min.css';

import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';

import classes from './Plot.module.css';

/** Colours of the theme as they are now. */
export interface PlotColours {
  text: string;
  quiet: string;
  line: string;
  surface: string;
  /** The first series, and the second one. */
  first: string;
  second: string;
}

export interface PlotProps {
  /** What is shown, for those who do not see it, and where its figures stand. */
  label: string;
  /** CSS pixels. */
  height: number;
  /** Times in seconds, then a row of values for each series. Keep it the same object while nothing changes. */
  data: UPlot.AlignedData;
  /** How it is drawn, with the library's own parts; asked again when the colour scheme changes. Keep it the same function while nothing changes. */
  options: (colours: PlotColours, library: typeof UPlot) => Omit<UPlot.Options, 'width' | 'height'>;
}

/** A plot on a canvas. It is as wide as its place, and follows the colour scheme. */
export default function Plot({ label, height, data, options }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme();
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const plot = new UPlot({ ...options(coloursOf(element), UPlot), width: element.clientWidth, height, legend: { show: false }, cursor: { show: false } }, data, element);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, options, height, scheme]);
  return <div ref={place} role="img" aria-label={label} className={classes.plot} style={{ minHeight: height }} />;
}

function coloursOf(element: HTMLElement): PlotColours {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(name).trim();
  return {
    text: colour('--mantine-color-text'),
    quiet: colour('--mantine-color-dimmed'),
    line: colour('--aloi-line'),
    surface: colour('--mantine-color-body'),
    first: colour('--mantine-primary-color-filled'),
    second: colour('--plot-second'),
  };
}
