import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ExecutionFilters } from '~/screens/executions/ExecutionFilters';
import { type ExecutionEntry, useExecutions } from '~/screens/executions/executions';
import { OutcomeBadge } from '~/screens/executions/OutcomeBadge';
import { type Column, DataTable } from '~/ui/DataTable';
import { useListParams } from '~/ui/listParams';
import { DateTime, Duration, Tokens } from '~/ui/Values';

import classes from './ExecutionList.module.css';

interface Props {
  /** Only those of this target. */
  targetId?: string;
  /** What to do where there is none yet. */
  action?: ReactNode;
}

/** Executions, newest first. Each leads to its page. */
export function ExecutionList({ targetId, action }: Props) {
  const { t } = useTranslation('executions');
  const params = useListParams();
  return (
    <DataTable
      label={t('title')}
      query={useExecutions(params, targetId)}
      params={params}
      columns={useColumns(targetId === undefined)}
      rowKey={({ id }) => id}
      rowLink={({ id }) => `/executions/${id}`}
      filters={<ExecutionFilters params={params} />}
      filtered={['source', 'status', 'time'].some((name) => params.filter(name) !== null)}
      empty={{ title: t('empty.title'), text: t('empty.text'), action }}
    />
  );
}

/** `named`: whether the target is told too. */
function useColumns(named: boolean): Column<ExecutionEntry>[] {
  const { t } = useTranslation('executions');
  return [
    {
      key: 'when',
      header: t('column.when'),
      width: '1px',
      cell: ({ created_at }) => <DateTime time={created_at} />,
      detail: (execution) => <From execution={execution} named={named} />,
    },
    { key: 'status', header: t('column.status'), cell: ({ status, failure }) => <OutcomeBadge status={status} failure={failure?.type ?? null} /> },
    { key: 'input', header: t('column.input'), width: '26%', cell: ({ input }) => <Excerpt text={input} /> },
    { key: 'output', header: t('column.output'), width: '26%', cell: ({ output }) => <Excerpt text={output} /> },
    { key: 'latency', header: t('column.latency'), align: 'right', cell: ({ latency }) => <Duration seconds={latency} /> },
    { key: 'tokens', header: t('column.tokens'), align: 'right', cell: ({ usage }) => <Tokens input={usage.input_tokens} output={usage.output_tokens} /> },
  ];
}

/** Which version of what was run, and by whom. */
function From({ execution: { target_name, version, source }, named }: { execution: ExecutionEntry; named: boolean }) {
  const { t } = useTranslation(['executions', 'agents']);
  const which = t('agents:version', { number: version });
  return (
    <Text size="sm" c="dimmed" lineClamp={2}>
      {[t(`source.${source}`), named ? `${target_name} ${which}` : which].join(' · ')}
    </Text>
  );
}

function Excerpt({ text }: { text: string | null }) {
  const { t } = useTranslation('executions');
  if (text === null) return <Text component="span" size="sm" c="dimmed">{t('noOutput')}</Text>;
  return (
    <Text component="span" size="sm" className={classes.excerpt}>
      {text}
    </Text>
  );
}
