import { Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ExecutionFilters } from '~/screens/executions/ExecutionFilters';
import { type ExecutionEntry, FILTERS, MOST_COUNTED, useExecutions } from '~/screens/executions/executions';
import { HarvestBar } from '~/screens/executions/HarvestBar';
import { OutcomeBadge } from '~/screens/executions/OutcomeBadge';
import { type Column, DataTable } from '~/ui/DataTable';
import { useListParams } from '~/ui/listParams';
import { useMay } from '~/ui/RoleGate';
import { DateTime, Duration, Tokens } from '~/ui/Values';

import classes from './ExecutionList.module.css';

/** Characters of an input that name its row to who cannot see it. */
const NAMED = 80;

interface Props {
  /** Only those of this target. */
  targetId?: string;
  /** What to say where there is none yet. */
  empty?: { title: string; text: ReactNode };
  /** What to do then. */
  action?: ReactNode;
}

/** Executions, newest first. Each leads to its page; those that are chosen can become cases. */
export function ExecutionList({ targetId, empty, action }: Props) {
  const { t } = useTranslation('executions');
  const params = useListParams();
  const query = useExecutions(params, targetId);
  const { may } = useMay('editor');
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  // Only what is in view can be meant.
  const chosen = (query.data?.items ?? []).filter(({ id }) => marked.has(id));
  const selection = { chosen: new Set(chosen.map(({ id }) => id)), onChange: setMarked, label: ({ input }: ExecutionEntry) => input.slice(0, NAMED) };
  return (
    <>
      <DataTable
        label={t('title')}
        query={query}
        params={params}
        columns={useColumns(targetId === undefined)}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/executions/${id}`}
        selection={may ? selection : undefined}
        filters={<ExecutionFilters params={params} named={targetId === undefined} />}
        filtered={FILTERS.some((name) => params.filter(name) !== null)}
        mostCounted={MOST_COUNTED}
        empty={{ title: t('empty.title'), text: t('empty.text'), ...empty, action }}
      />
      <HarvestBar chosen={chosen} onDone={() => setMarked(new Set())} />
    </>
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
      cell: ({ created_at }) => <span className={classes.figure}><DateTime time={created_at} /></span>,
      detail: (execution) => <From execution={execution} named={named} />,
    },
    { key: 'status', header: t('column.status'), width: '1px', cell: ({ status, failure }) => <OutcomeBadge status={status} failure={failure?.type ?? null} /> },
    { key: 'input', header: t('column.input'), width: '26%', cell: ({ input }) => <Excerpt text={input} /> },
    { key: 'output', header: t('column.output'), width: '26%', cell: ({ output }) => <Excerpt text={output} /> },
    { key: 'latency', header: t('column.latency'), align: 'right', width: '1px', cell: ({ latency }) => <span className={classes.figure}><Duration seconds={latency} /></span> },
    { key: 'tokens', header: t('column.tokens'), align: 'right', width: '1px', cell: ({ usage }) => <span className={classes.figure}><Tokens input={usage.input_tokens} output={usage.output_tokens} /></span> },
  ];
}

/** Which version of what was run, and by whom. */
function From({ execution: { target_name, version, source }, named }: { execution: ExecutionEntry; named: boolean }) {
  const { t } = useTranslation(['executions', 'agents']);
  const which = t('agents:version', { number: version });
  return (
    <Text size="sm" c="dimmed" lineClamp={2} className={classes.from}>
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
