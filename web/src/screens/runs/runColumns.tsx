import { Checkbox, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { type Run, targetName } from '~/screens/runs/runQueries';
import { RunState } from '~/screens/runs/RunState';
import type { Column } from '~/ui/DataTable';
import { useFormat } from '~/ui/format';
import { RateInterval } from '~/ui/RateInterval';
import { DateTime, Money } from '~/ui/Values';

interface Choice {
  chosen: readonly Run[];
  choose: (run: Run, on: boolean) => void;
}

/** What the list tells of a run. */
export function useRunColumns({ chosen, choose }: Choice): Column<Run>[] {
  const { t } = useTranslation('runs');
  const format = useFormat();
  return [
    { key: 'run', header: t('column.run'), cell: (run) => <Named run={run} /> },
    { key: 'status', header: t('status'), cell: (run) => <RunState run={run} /> },
    {
      key: 'rate',
      header: t('column.rate'),
      cell: (run) => <RateInterval compact passed={run.progress.passed} failed={run.progress.failed} rate={run.rate} interval={run.interval} judgeNoise={run.summary?.judge_noise} />,
    },
    { key: 'errors', header: t('column.errors'), align: 'right', cell: ({ progress }) => format.number(progress.errors) },
    { key: 'cost', header: t('column.cost'), align: 'right', cell: ({ progress }) => <Money dollars={progress.cost} /> },
    {
      key: 'started',
      header: t('column.started'),
      cell: (run) => (
        <Text size="sm" component="div">
          <DateTime time={run.created_at} />
          <Text size="sm" c="dimmed">
            {run.started_by}
          </Text>
        </Text>
      ),
    },
    {
      key: 'compare',
      header: t('column.compare'),
      align: 'right',
      cell: (run) => (
        <Checkbox
          display="inline-block"
          // Above the box, which stands above the row's link.
          styles={{ icon: { zIndex: 2 } }}
          aria-label={t('choose', { name: `${targetName(run)}, ${run.dataset_name}, ${format.dateTime(run.created_at)}` })}
          checked={chosen.some(({ id }) => id === run.id)}
          onChange={(event) => choose(run, event.currentTarget.checked)}
        />
      ),
    },
  ];
}

function Named({ run }: { run: Run }) {
  return (
    <span>
      {targetName(run)}
      <Text component="span" display="block" size="sm" c="dimmed" fw={400}>
        {run.dataset_name}
      </Text>
    </span>
  );
}
