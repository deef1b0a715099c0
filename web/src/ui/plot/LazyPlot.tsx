import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

import type { PlotProps } from '~/ui/plot/Plot';

const Plot = lazy(() => import('~/ui/plot/Plot'));

/** A plot, whose library is fetched when the first one is drawn. */
export function LazyPlot(props: PlotProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height} />}>
      <Plot {...props} />
    </Suspense>
  );
}
