import { Button, Group, Paper, SegmentedControl, Skeleton, Text, Title } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { keepPreviousData, useQuery, type UseQueryOptions } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { resultAddress } from '~/screens/runs/resultAddress';
import { ResultRow, RowHeads, rowKey } from '~/screens/runs/ResultRow';
import { isLive, type Result, RESULTS_A_PAGE, resultsQuery, type Run } from '~/screens/runs/runQueries';
import type { LiveResults } from '~/screens/runs/useLiveResults';
import type { Reading } from '~/screens/runs/useReading';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useFormat } from '~/ui/format';
import { useListParams } from '~/ui/listParams';
import { SearchBox } from '~/ui/SearchBox';
import type { Verdict } from '~/ui/VerdictBadge';
import { VirtualRows } from '~/ui/VirtualRows';

import classes from './ResultRow.module.css';

const ROW_PX = 65;

interface Props {
  run: Run;
  live: LiveResults;
  reading: Reading;
}

/** The results of a run, in the order of the cases; only what is in view is fetched and drawn. */
export function Results({ run, live, reading: { list, opened, toggle } }: Props) {
  const { t } = useTranslation(['runs', 'common']);
  const params = useListParams();
  const verdict = (['pass', 'fail', 'error'] as const).find((one) => one === params.filter('verdict'));
  const filter = { verdict, q: params.q || undefined };
  const first = useQuery({ ...resultsQuery(run.id, filter, 1), placeholderData: keepPreviousData });
  const total = first.data?.total ?? 0;
  const page = (number: number) => ({ ...resultsQuery(run.id, filter, number), staleTime: Infinity }) as unknown as UseQueryOptions<{ items: readonly Result[] }>;
  return (
    <section aria-label={t('results.title')}>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('results.title')}</Title>
        <Group gap="sm">
          <VerdictFilter run={run} value={verdict} onChange={(value) => params.setFilter('verdict', value)} />
          <SearchBox value={params.q} onChange={params.setQ} label={t('results.search')} />
        </Group>
      </Group>
      {first.isError && !first.data && <ErrorPanel error={first.error} onRetry={() => void first.refetch()} />}
      {first.isPending && <Skeleton height={ROW_PX * 4} />}
      {first.data && total === 0 && <Text py="lg">{verdict || params.q ? t('results.noMatch') : isLive(run) ? t('results.notYet') : t('results.none')}</Text>}
      {total > 0 && (
        <Paper ref={list} className={classes.list} data-stale={first.isPlaceholderData || undefined}>
          <RowHeads />
          <VirtualRows
            key={JSON.stringify(filter)}
            label={t('results.title')}
            total={total}
            size={RESULTS_A_PAGE}
            page={page}
            estimate={ROW_PX}
            row={(result, index) => {
              const address = resultAddress(run.id, result, { ...filter, at: index });
              return <ResultRow result={result} trials={run.spec.limits.trials} address={address} opened={opened.has(rowKey(result))} onToggle={toggle} />;
            }}
          />
        </Paper>
      )}
      {live.waiting && (
        <Button className={classes.news} leftSection={<IconRefresh size={16} aria-hidden />} onClick={live.show}>
          {t('results.news')}
        </Button>
      )}
    </section>
  );
}

interface FilterProps {
  run: Run;
  value: Verdict | undefined;
  onChange: (value: Verdict | null) => void;
}

function VerdictFilter({ run: { progress }, value, onChange }: FilterProps) {
  const { t } = useTranslation('runs');
  const format = useFormat();
  const { passed, failed, errors } = progress;
  const choices = [
    { value: '', label: `${t('results.all')} ${format.number(passed + failed + errors)}` },
    { value: 'pass', label: `${t('results.passed')} ${format.number(passed)}` },
    { value: 'fail', label: `${t('results.failed')} ${format.number(failed)}` },
    { value: 'error', label: `${t('results.errors')} ${format.number(errors)}` },
  ];
  return <SegmentedControl aria-label={t('results.filter')} size="xs" data={choices} value={value ?? ''} onChange={(chosen) => onChange(chosen === '' ? null : (chosen as Verdict))} />;
}
