import { SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { HarvestBar } from '~/screens/executions/HarvestBar';
import { MOST_COUNTED, type OnlineResult, type OnlineRule, useOnlineResults, type Verdict, VERDICTS } from '~/screens/online/onlineQueries';
import { reasonOf } from '~/screens/online/reasons';
import { type Column, DataTable } from '~/ui/DataTable';
import { useFormat } from '~/ui/format';
import type { ListParams } from '~/ui/listParams';
import { useMay } from '~/ui/RoleGate';
import { VerdictBadge } from '~/ui/VerdictBadge';
import { DateTime } from '~/ui/Values';

import classes from './Online.module.css';

const ALL = 'all';
const NAMED = 80;

/** The executions that a rule graded, newest first, of one verdict if one is chosen (`?verdict=`); those that are chosen can become drafts. */
export function OnlineResults({ rule, params }: { rule: OnlineRule; params: ListParams }) {
  const { t } = useTranslation(['online', 'common']);
  const verdict = VERDICTS.find((each) => each === params.filter('verdict'));
  const results = useOnlineResults(rule, { verdict, since: undefined, page: params.page, size: params.size });
  const { may } = useMay('editor');
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const chosen = (results.data?.items ?? []).filter(({ execution }) => marked.has(execution.id));
  const selection = { chosen: new Set(chosen.map(({ execution }) => execution.id)), onChange: setMarked, label: ({ execution }: OnlineResult) => execution.input.slice(0, NAMED) };
  const wordOf = (value: string) => (value === ALL ? t('results.all') : t(`common:verdict.${value as Verdict}`));
  return (
    <>
      <DataTable
        label={t('results.title')}
        query={results}
        params={params}
        columns={useColumns()}
        rowKey={({ execution }) => execution.id}
        rowLink={({ execution }) => `/executions/${execution.id}`}
        selection={may ? selection : undefined}
        searchable={false}
        filters={
          <SegmentedControl
            size="xs"
            aria-label={t('results.verdict')}
            data={[ALL, ...VERDICTS].map((value) => ({ value, label: wordOf(value) }))}
            value={verdict ?? ALL}
            onChange={(value) => params.setFilter('verdict', value === ALL ? null : value)}
          />
        }
        filtered={verdict !== undefined}
        mostCounted={MOST_COUNTED}
        empty={{ title: t('results.emptyTitle'), text: t(rule.waiting > 0 ? 'results.waitingText' : 'results.emptyText', { count: rule.waiting }) }}
      />
      <HarvestBar chosen={chosen.map(({ execution }) => execution)} onDone={() => setMarked(new Set())} />
    </>
  );
}

function useColumns(): Column<OnlineResult>[] {
  const { t } = useTranslation('online');
  const format = useFormat();
  return [
    { key: 'when', header: t('results.when'), width: '1px', cell: ({ created_at }) => <span className={classes.figure}><DateTime time={created_at} /></span> },
    { key: 'verdict', header: t('results.verdict'), width: '1px', cell: ({ verdict }) => <VerdictBadge verdict={verdict} /> },
    { key: 'input', header: t('results.input'), width: '22%', cell: ({ execution }) => <Excerpt text={execution.input} /> },
    { key: 'output', header: t('results.output'), width: '22%', cell: ({ execution }) => <Excerpt text={execution.output} /> },
    { key: 'reason', header: t('results.reason'), width: '30%', cell: (result) => <Excerpt text={reasonOf(result)} /> },
    { key: 'score', header: t('results.score'), align: 'right', cell: ({ score }) => (score === null ? '–' : format.score(score)) },
  ];
}

function Excerpt({ text }: { text: string | null }) {
  const { t } = useTranslation('online');
  if (text === null) {
    return (
      <Text component="span" size="sm" c="dimmed">
        {t('results.noOutput')}
      </Text>
    );
  }
  return (
    <Text component="span" size="sm" className={classes.excerpt}>
      {text}
    </Text>
  );
}
