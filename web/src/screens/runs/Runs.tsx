import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ChosenBar } from '~/screens/runs/ChosenBar';
import { NewRun } from '~/screens/runs/NewRun';
import { useRunColumns } from '~/screens/runs/runColumns';
import { RunFilters } from '~/screens/runs/RunFilters';
import { isLive, runListQuery, type Run } from '~/screens/runs/runQueries';
import { DataTable } from '~/ui/DataTable';
import { useListParams } from '~/ui/listParams';
import { PageHeader } from '~/ui/PageHeader';
import { RoleGate } from '~/ui/RoleGate';
import type { RunStatus } from '~/ui/StatusBadge';

const POLL_MS = 3000;
const MOST_CHOSEN = 2;

/**
 * The runs. The address may hold filters (`target`, `dataset`, `status`, `q`), and `new=1` opens the form of a new
 * evaluation, on the target and the dataset that are named.
 */
export default function Runs() {
  const { t } = useTranslation('runs');
  const params = useListParams();
  const [chosen, setChosen] = useState<Run[]>([]);
  const [target, dataset, status, opened] = ['target', 'dataset', 'status', 'new'].map(params.filter);
  const runs = useQuery({
    ...runListQuery({
      page: params.page,
      size: params.size,
      q: params.q || undefined,
      target_id: target ?? undefined,
      dataset_id: dataset ?? undefined,
      status: status ? [status as RunStatus] : undefined,
    }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isLive) ? POLL_MS : false),
  });
  const choose = (run: Run, on: boolean) => setChosen((before) => [...before.filter(({ id }) => id !== run.id), ...(on ? [run] : [])].slice(-MOST_CHOSEN));
  const columns = useRunColumns({ chosen, choose });
  const begin = (
    <RoleGate role="editor">
      {(gate) => (
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => params.setFilter('new', '1')} {...gate}>
          {t('new.open')}
        </Button>
      )}
    </RoleGate>
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} actions={begin} />
      <DataTable
        label={t('title')}
        query={runs}
        params={params}
        columns={columns}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/runs/${id}`}
        filters={<RunFilters params={params} />}
        filtered={Boolean(target ?? dataset ?? status)}
        empty={{ title: t('empty.title'), text: t('empty.text'), action: begin }}
      />
      {chosen.length > 0 && <ChosenBar chosen={chosen} onClear={() => setChosen([])} />}
      {opened && <NewRun target={target ?? null} dataset={dataset ?? null} onClose={() => params.setFilter('new', null)} />}
    </>
  );
}
