import { Anchor, Paper, Select, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { type Run, runListQuery, targetName } from '~/screens/runs/runQueries';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useFormat } from '~/ui/format';
import { RateInterval } from '~/ui/RateInterval';
import { StatusBadge } from '~/ui/StatusBadge';

import classes from './Compare.module.css';

const CHOICES = 50;
const WAIT_MS = 250;

interface Props {
  side: 'a' | 'b';
  run: Run | undefined;
  error: Error | null;
  /** The run on the other side. Runs of its dataset are offered, unless something is searched for. */
  other: Run | undefined;
  onChange: (id: string | null) => void;
}

/** One side of a comparison: which run it is, and its rate. */
export function RunPicker({ side, run, error, other, onChange }: Props) {
  const { t } = useTranslation('compare');
  const format = useFormat();
  const [typed, setTyped] = useState('');
  const label = (one: Run) => [targetName(one), one.rate === null ? null : format.percent(one.rate), format.dateTime(one.created_at), one.dataset_name].filter(Boolean).join(' · ');
  const sought = run && typed === label(run) ? '' : typed;
  const [q] = useDebouncedValue(sought, WAIT_MS);
  const found = useQuery(runListQuery({ size: CHOICES, ...(q ? { q } : { dataset_id: other?.dataset_id }) })).data?.items ?? [];
  const offered = run && !found.some(({ id }) => id === run.id) ? [run, ...found] : found;
  return (
    <Paper className={classes.picker}>
      <Select
        label={side === 'a' ? t('sideA') : t('sideB')}
        placeholder={t('pick')}
        searchable
        data={offered.map((one) => ({ value: one.id, label: label(one), disabled: one.id === other?.id }))}
        filter={({ options }) => options}
        searchValue={typed}
        onSearchChange={setTyped}
        value={run?.id ?? null}
        onChange={onChange}
        nothingFoundMessage={t('noRun')}
        maxDropdownHeight={320}
      />
      {error && <ErrorPanel error={error} />}
      {run && (
        <div className={classes.picked}>
          <RateInterval passed={run.progress.passed} failed={run.progress.failed} rate={run.rate} interval={run.interval} judgeNoise={run.summary?.judge_noise} />
          {run.status !== 'completed' && <StatusBadge status={run.status} />}
          <Anchor component={Link} to={`/runs/${run.id}`} size="sm">
            {t('open')}
          </Anchor>
          {run.spec.parent_id === other?.id && other && (
            <Text size="sm" c="dimmed">
              {t('madeFrom')}
            </Text>
          )}
        </div>
      )}
    </Paper>
  );
}
