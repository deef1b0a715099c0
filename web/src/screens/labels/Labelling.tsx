import { Button, Paper, Progress, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams, useSearchParams } from 'react-router';

import { BlindCase } from '~/screens/labels/BlindCase';
import { ENTRIES_A_PAGE, entriesQuery, firstUnlabelledQuery, unlabelledQuery } from '~/screens/labels/labelQueries';
import { EmptyState } from '~/ui/EmptyState';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useFormat } from '~/ui/format';
import { PageHeader } from '~/ui/PageHeader';

import classes from './Labels.module.css';

/**
 * The results of a run one by one, for people to label without knowing what the judge said: nothing of it is fetched.
 * `?at=` is the place in the shuffled order; without it, the first result that nobody labelled.
 */
export default function Labelling() {
  const { t } = useTranslation('labels');
  const { id = '' } = useParams();
  const [address, setAddress] = useSearchParams();
  const named = address.get('at');
  const first = useQuery({ ...firstUnlabelledQuery(id), enabled: named === null });
  const at = named === null ? first.data : Math.max(0, Math.floor(Number(named)) || 0);
  const go = (place: number) => setAddress({ at: String(Math.max(0, place)) });
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} crumbs={[{ label: t('runs'), to: '/runs' }, { label: t('run'), to: `/runs/${id}` }]} />
      {first.isError && <ErrorPanel error={first.error} onRetry={() => void first.refetch()} />}
      {at === undefined && !first.isError && <Skeleton height={320} />}
      {at !== undefined && <At runId={id} at={at} go={go} />}
    </>
  );
}

function At({ runId, at, go }: { runId: string; at: number; go: (place: number) => void }) {
  const { t } = useTranslation('labels');
  const page = Math.floor(at / ENTRIES_A_PAGE) + 1;
  const entries = useQuery(entriesQuery(runId, page));
  const entry = entries.data?.items[at % ENTRIES_A_PAGE];
  if (entries.isError) return <ErrorPanel error={entries.error} onRetry={() => void entries.refetch()} />;
  if (entries.isPending) return <Skeleton height={320} />;
  const { total } = entries.data;
  if (total === 0) {
    return (
      <Paper>
        <EmptyState title={t('empty.title')} text={t('empty.text')} />
      </Paper>
    );
  }
  return (
    <Stack gap="lg">
      <Done runId={runId} total={total} />
      {entry ? <BlindCase key={`${entry.case_id}/${entry.trial}`} runId={runId} entry={entry} at={at} total={total} go={go} /> : <End runId={runId} go={go} />}
    </Stack>
  );
}

/** How many have a label, of all. */
function Done({ runId, total }: { runId: string; total: number }) {
  const { t } = useTranslation('labels');
  const format = useFormat();
  const open = useQuery(unlabelledQuery(runId));
  if (open.data === undefined) return null;
  const done = total - open.data;
  const words = t('progress', { done: format.number(done), count: total });
  return (
    <div className={classes.progress}>
      <Text size="sm" role="status">
        {words}
      </Text>
      <Progress value={(100 * done) / total} aria-label={words} />
    </div>
  );
}

function End({ runId, go }: { runId: string; go: (place: number) => void }) {
  const { t } = useTranslation('labels');
  const actions = (
    <>
      <Button component={Link} to={`/calibration?run=${runId}`}>
        {t('toCalibration')}
      </Button>
      <Button variant="default" onClick={() => go(0)}>
        {t('again')}
      </Button>
    </>
  );
  return (
    <Paper>
      <EmptyState title={t('end.title')} text={t('end.text')} action={actions} />
    </Paper>
  );
}
