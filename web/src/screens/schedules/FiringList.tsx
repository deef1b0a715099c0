import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { isLive, type Run } from '~/screens/runs/runQueries';
import { FiringOutcome, RunRate } from '~/screens/schedules/FiringOutcome';
import { type Firing, type Schedule, useFirings } from '~/screens/schedules/scheduleQueries';
import { readersZone, zonedText } from '~/screens/schedules/zones';
import { type Column, DataTable } from '~/ui/DataTable';
import { useFormat } from '~/ui/format';
import type { ListParams } from '~/ui/listParams';

interface Props {
  schedule: Schedule;
  /** Its latest runs. */
  runs: readonly Run[];
  params: ListParams;
}

/** What came of each firing, newest first. */
export function FiringList({ schedule: { id, last, next_at }, runs, params }: Props) {
  const { t } = useTranslation('schedules');
  const firings = useFirings(id, params.page, params.size, last?.id);
  return (
    <DataTable
      label={t('firing.title')}
      query={firings}
      params={params}
      columns={useColumns(runs)}
      rowKey={(firing) => firing.id}
      searchable={false}
      empty={{ title: t('firing.emptyTitle'), text: t(next_at === null ? 'firing.emptyPaused' : 'firing.emptyText') }}
    />
  );
}

function useColumns(runs: readonly Run[]): Column<Firing>[] {
  const { t, i18n } = useTranslation('schedules');
  const runOf = ({ run_id }: Firing) => runs.find(({ id }) => id === run_id);
  return [
    { key: 'due', header: t('firing.due'), width: '26%', cell: ({ due_at }) => <time dateTime={due_at}>{zonedText(i18n.language, due_at, readersZone())}</time> },
    { key: 'outcome', header: t('firing.outcome'), cell: (firing) => <FiringOutcome firing={firing} run={runOf(firing)} /> },
    { key: 'rate', header: t('rates.title'), cell: (firing) => <Rate run={runOf(firing)} /> },
    { key: 'late', header: t('firing.delay'), align: 'right', cell: (firing) => <Delay firing={firing} /> },
  ];
}

function Rate({ run }: { run: Run | undefined }) {
  return run && !isLive(run) && run.summary ? <RunRate run={run} /> : null;
}

/** How much later than meant it fired; a few seconds are usual. */
function Delay({ firing: { due_at, fired_at } }: { firing: Firing }) {
  const format = useFormat();
  const seconds = Math.max(0, (Date.parse(fired_at) - Date.parse(due_at)) / 1000);
  return (
    <Text size="sm" c="dimmed" component="span">
      {format.duration(seconds)}
    </Text>
  );
}
