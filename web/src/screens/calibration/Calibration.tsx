import { Button, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { JudgeCard } from '~/screens/calibration/JudgeCard';
import { RunChip } from '~/screens/calibration/RunChip';
import { DatasetSelect, TargetSelect } from '~/screens/runs/RemoteSelect';
import { EmptyState } from '~/ui/EmptyState';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { type ListParams, useListParams } from '~/ui/listParams';
import { PageHeader } from '~/ui/PageHeader';
import { Pages } from '~/ui/Pages';

import classes from './Calibration.module.css';

const A_PAGE = 10;

/** Each judge against people's labels and against itself; filters stand in the address. */
export default function Calibration() {
  const { t } = useTranslation('calibration');
  const params = useListParams(A_PAGE);
  const run = params.filter('run');
  const query = { target_id: params.filter('target'), dataset_id: params.filter('dataset'), run_id: run, page: params.page, size: params.size };
  const found = useQuery({
    queryKey: keys.calibration(query),
    // The client reads pairs of numbers as arrays of any length.
    queryFn: ({ signal }) => answer(api.GET('/api/eval/calibration', { params: { query }, signal })) as Promise<Schemas['PageOut_Calibration_']>,
    placeholderData: keepPreviousData,
  });
  const filtered = Boolean(query.target_id ?? query.dataset_id ?? run);
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} />
      <Filters params={params} />
      {found.isError && !found.data && <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton height={360} />}
      {found.data?.total === 0 && <Nothing filtered={filtered} run={run} />}
      {found.data && found.data.total > 0 && (
        <Stack gap="lg" className={classes.list} data-stale={found.isPlaceholderData || undefined}>
          {found.data.items.map((judge) => (
            <JudgeCard key={judge.judge.hash} calibration={judge} />
          ))}
          <Pages params={params} total={found.data.total} pages={found.data.pages} />
        </Stack>
      )}
    </>
  );
}

function Filters({ params }: { params: ListParams }) {
  const { t } = useTranslation(['calibration', 'common']);
  const field = (name: 'target' | 'dataset') => ({
    'aria-label': t(`filter.${name}`),
    placeholder: t(`filter.${name}`),
    value: params.filter(name),
    onChange: (value: string | null) => params.setFilter(name, value),
    clearable: true,
    clearButtonProps: { 'aria-label': t('common:clear') },
    w: { base: '100%', xs: 220 },
  });
  const run = params.filter('run');
  return (
    <div className={classes.filters}>
      <TargetSelect {...field('target')} />
      <DatasetSelect {...field('dataset')} />
      {run && <RunChip id={run} onClear={() => params.setFilter('run', null)} />}
    </div>
  );
}

/** No judge was measured: how to begin. */
function Nothing({ filtered, run }: { filtered: boolean; run: string | null }) {
  const { t } = useTranslation('calibration');
  const action = (
    <Button component={Link} to={run ? `/runs/${run}/labelling` : '/runs'}>
      {run ? t('empty.label') : t('empty.runs')}
    </Button>
  );
  if (filtered && !run) return <Text py="lg">{t('empty.noMatch')}</Text>;
  return (
    <Paper>
      <EmptyState title={t('empty.title')} text={t('empty.text')} action={action} />
    </Paper>
  );
}
