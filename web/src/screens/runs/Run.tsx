import { Center, Loader, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';

import { RunGate } from '~/screens/gate/RunGate';
import { RunLabels } from '~/screens/labels/RunLabels';
import { GradedBy } from '~/screens/runs/GradedBy';
import { Results } from '~/screens/runs/Results';
import { RunActions } from '~/screens/runs/RunActions';
import { RunFacts } from '~/screens/runs/RunFacts';
import { RunHeadline } from '~/screens/runs/RunHeadline';
import { RunNotices } from '~/screens/runs/RunNotices';
import { isLive, type Run as RunType, runQuery, targetName } from '~/screens/runs/runQueries';
import { useRunActions } from '~/screens/runs/useRunActions';
import { useLiveResults } from '~/screens/runs/useLiveResults';
import { useReading } from '~/screens/runs/useReading';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { PageHeader } from '~/ui/PageHeader';
import { StatusBadge } from '~/ui/StatusBadge';

/** One run: its numbers, filling while it goes on, and its results. */
export default function Run() {
  const { id = '' } = useParams();
  const { t } = useTranslation('runs');
  const run = useQuery(runQuery(id));
  if (run.data) return <Loaded key={id} run={run.data} />;
  if (run.isError) {
    return (
      <>
        <PageHeader title={t('one')} crumbs={[{ label: t('title'), to: '/runs' }]} />
        <ErrorPanel error={run.error} onRetry={() => void run.refetch()} />
      </>
    );
  }
  return (
    <Center mih="40vh">
      <Loader />
    </Center>
  );
}

function Loaded({ run }: { run: RunType }) {
  const { t } = useTranslation('runs');
  const reading = useReading();
  const live = useLiveResults(run.id, isLive(run), reading.isReading);
  const actions = useRunActions(run);
  const shown = live.figures && !run.summary ? { ...run, ...live.figures } : run;
  return (
    <>
      <PageHeader
        title={`${targetName(run)} · ${run.dataset_name}`}
        crumbs={[{ label: t('title'), to: '/runs' }]}
        aside={<StatusBadge status={run.status} />}
        actions={<RunActions run={run} actions={actions} />}
      />
      <Stack gap="lg" mt="-md">
        <RunFacts run={run} />
        <GradedBy runId={run.id} />
        {actions.error && <ErrorPanel error={actions.error} />}
        <RunNotices run={run} actions={actions} />
        <RunHeadline run={shown} />
        <RunGate run={run} />
        <RunLabels run={run} />
        <Results run={shown} live={live} reading={reading} />
      </Stack>
    </>
  );
}
