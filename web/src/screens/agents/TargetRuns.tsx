import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { BeginEvaluation } from '~/screens/agents/BeginEvaluation';
import { EvaluationViews } from '~/screens/agents/EvaluationViews';
import { useThisTarget } from '~/screens/agents/targets';
import { ChosenBar } from '~/screens/runs/ChosenBar';
import { useRunColumns } from '~/screens/runs/runColumns';
import { isLive, type Run, runListQuery } from '~/screens/runs/runQueries';
import { DataTable } from '~/ui/DataTable';
import { useListParams } from '~/ui/listParams';

const POLL_MS = 3000;
const MOST_CHOSEN = 2;

/** The evaluations of this target, newest first; two of them can be compared. */
export default function TargetRuns() {
  const { t } = useTranslation(['agents', 'runs']);
  const target = useThisTarget().value;
  const { id: targetId } = target;
  const params = useListParams();
  const [chosen, setChosen] = useState<Run[]>([]);
  const runs = useQuery({
    ...runListQuery({ target_id: targetId, q: params.q || undefined, page: params.page, size: params.size }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isLive) ? POLL_MS : false),
  });
  const choose = (run: Run, on: boolean) => setChosen((before) => [...before.filter(({ id }) => id !== run.id), ...(on ? [run] : [])].slice(-MOST_CHOSEN));
  return (
    <>
      <EvaluationViews targetId={targetId} />
      <DataTable
        label={t('evaluations.runs')}
        query={runs}
        params={params}
        columns={useRunColumns({ chosen, choose })}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/runs/${id}`}
        empty={{ title: t('evaluations.runsEmptyTitle'), text: t('evaluations.runsEmptyText'), action: <BeginEvaluation target={target} /> }}
      />
      {chosen.length > 0 && <ChosenBar chosen={chosen} onClear={() => setChosen([])} />}
    </>
  );
}
