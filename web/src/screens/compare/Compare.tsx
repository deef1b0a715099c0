import { Button, Skeleton, Stack } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';

import { Changes } from '~/screens/compare/Changes';
import { Configuration } from '~/screens/compare/Configuration';
import { Headline } from '~/screens/compare/Headline';
import { RunPicker } from '~/screens/compare/RunPicker';
import { comparisonQuery, runQuery } from '~/screens/runs/runQueries';
import { EmptyState } from '~/ui/EmptyState';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { PageHeader } from '~/ui/PageHeader';

import classes from './Compare.module.css';

const HEIGHT = 160;

/** Run A, the baseline, against run B; the address names both. */
export default function Compare() {
  const { t } = useTranslation('compare');
  const [address, setAddress] = useSearchParams();
  const [a, b] = [address.get('a'), address.get('b')];
  const runA = useQuery({ ...runQuery(a ?? ''), enabled: a !== null });
  const runB = useQuery({ ...runQuery(b ?? ''), enabled: b !== null });
  const set = (sides: { a: string | null; b: string | null }) => setAddress(Object.fromEntries(Object.entries(sides).filter(([, id]) => id)) as Record<string, string>);
  const swap = (
    <Button variant="default" leftSection={<IconArrowsExchange size={16} aria-hidden />} disabled={!a || !b} onClick={() => set({ a: b, b: a })}>
      {t('swap')}
    </Button>
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} crumbs={[{ label: t('runs'), to: '/runs' }]} actions={swap} />
      <Stack gap="lg">
        <div className={classes.pickers}>
          <RunPicker side="a" run={runA.data} error={runA.error} other={runB.data} onChange={(id) => set({ a: id, b })} />
          <RunPicker side="b" run={runB.data} error={runB.error} other={runA.data} onChange={(id) => set({ a, b: id })} />
        </div>
        {a && b ? <Compared a={a} b={b} /> : <EmptyState title={t('choose.title')} text={t('choose.text')} />}
      </Stack>
    </>
  );
}

function Compared({ a, b }: { a: string; b: string }) {
  const comparison = useQuery({ ...comparisonQuery(a, b), placeholderData: keepPreviousData });
  if (comparison.data) {
    return (
      <Stack gap="lg" className={classes.compared} data-stale={comparison.isPlaceholderData || undefined}>
        <Headline comparison={comparison.data} />
        <Configuration differences={comparison.data.configuration} />
        <Changes comparison={comparison.data} />
      </Stack>
    );
  }
  if (comparison.isError) return <ErrorPanel error={comparison.error} onRetry={() => void comparison.refetch()} />;
  return <Skeleton height={HEIGHT} />;
}
