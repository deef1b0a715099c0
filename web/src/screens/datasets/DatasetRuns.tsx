import { Button, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { useThisDataset } from '~/screens/datasets/datasets';
import { newRunAddress } from '~/screens/datasets/newRun';
import { isLive, type Run, runListQuery } from '~/screens/runs/runQueries';
import { RunState } from '~/screens/runs/RunState';
import { type Column, DataTable } from '~/ui/DataTable';
import { useListParams } from '~/ui/listParams';
import { RateInterval } from '~/ui/RateInterval';
import { RoleGate, RoleOnly } from '~/ui/RoleGate';
import { DateTime } from '~/ui/Values';

const POLL_MS = 3_000;

/** The evaluations on this dataset, newest first. */
export default function DatasetRuns() {
  const { t } = useTranslation('datasets');
  const { id } = useThisDataset().value;
  const params = useListParams();
  const query = useQuery({
    ...runListQuery({ dataset_id: id, q: params.q || undefined, page: params.page, size: params.size }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isLive) ? POLL_MS : false),
  });
  const start = (
    <RoleOnly>
      <RoleGate role="editor">
        {(gate) => (
          <Button component={Link} to={newRunAddress(id)} {...gate}>
            {t('newRun')}
          </Button>
        )}
      </RoleGate>
    </RoleOnly>
  );
  return (
    <DataTable
      label={t('runs.label')}
      query={query}
      params={params}
      columns={useColumns()}
      rowKey={(run) => run.id}
      rowLink={(run) => `/runs/${run.id}`}
      empty={{ title: t('runs.emptyTitle'), text: t('runs.emptyText'), action: start }}
    />
  );
}

function useColumns(): Column<Run>[] {
  const { t } = useTranslation('datasets');
  return [
    { key: 'target', header: t('runs.target'), cell: (run) => t('runs.version', { target: run.target_name, version: run.target_version }) },
    { key: 'status', header: t('runs.status'), cell: (run) => <RunState run={run} /> },
    { key: 'rate', header: t('runs.rate'), cell: (run) => <Rate run={run} /> },
    { key: 'by', header: t('runs.by'), cell: ({ started_by }) => <Text size="sm">{started_by}</Text> },
    { key: 'created', header: t('runs.started'), cell: ({ created_at }) => <DateTime time={created_at} /> },
  ];
}

function Rate({ run: { progress, rate, interval, summary } }: { run: Run }) {
  const { passed, failed } = summary ?? progress;
  return <RateInterval compact passed={passed} failed={failed} rate={rate} interval={interval} judgeNoise={summary?.judge_noise} />;
}
