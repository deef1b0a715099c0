import { Paper, Text, Title, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { pairKey, PairRow } from '~/screens/compare/PairRow';
import { FOLDED, type Row, rowsOf } from '~/screens/compare/sections';
import { useFormat } from '~/ui/format';
import { useListTop } from '~/ui/listTop';

import classes from './Compare.module.css';

const ROW_PX = 49;
const OVERSCAN = 10;

/** The cases: changed verdicts first. Only what is in view is drawn. */
export function Changes({ comparison }: { comparison: Schemas['Comparison'] }) {
  const { t } = useTranslation('compare');
  const [folded, setFolded] = useState(FOLDED);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => rowsOf(comparison, folded), [comparison, folded]);
  const list = useRef<HTMLDivElement>(null);
  const top = useListTop(list);
  const virtual = useWindowVirtualizer({ count: rows.length, estimateSize: () => ROW_PX, overscan: OVERSCAN, scrollMargin: top, getItemKey: (index) => keyOf(rows[index]) });
  const toggle = useCallback((key: string) => setOpened((before) => toggled(before, key)), []);
  const { titles } = comparison;
  const trials = useMemo(() => comparison.pairs.some(({ trial }) => trial > 0), [comparison]);
  const draw = (row: Row) => {
    if (row.kind === 'head') return <Head row={row} onFold={() => setFolded(toggled(folded, row.section))} />;
    if (row.kind === 'key') return <div className={classes.key}>{titles[row.key] || row.key}</div>;
    return <PairRow pair={row.pair} title={titles[row.pair.case_key]} a={comparison.run_a} b={comparison.run_b} trials={trials} opened={opened.has(pairKey(row.pair))} onToggle={toggle} />;
  };
  return (
    <section aria-label={t('cases')}>
      <Title order={2} mb="xs">
        {t('cases')}
      </Title>
      {rows.length === 0 && <Text c="dimmed">{t('noCases')}</Text>}
      {rows.length > 0 && (
        <Paper className={classes.frame}>
          <div ref={list} role="list" aria-label={t('cases')} className={classes.list} style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, key, start }) => {
              const row = rows[index];
              return (
                row && (
                  <div key={key} role="listitem" data-index={index} ref={virtual.measureElement} className={classes.place} style={{ transform: `translateY(${start - top}px)` }}>
                    {draw(row)}
                  </div>
                )
              );
            })}
          </div>
        </Paper>
      )}
    </section>
  );
}

function Head({ row: { section, count, folded }, onFold }: { row: Extract<Row, { kind: 'head' }>; onFold: () => void }) {
  const format = useFormat();
  const { t } = useTranslation('compare');
  const Chevron = folded ? IconChevronRight : IconChevronDown;
  return (
    <h3 className={classes.head} data-section={section}>
      <UnstyledButton className={classes.fold} aria-expanded={!folded} onClick={onFold}>
        <Chevron size={16} aria-hidden />
        <span>{t(`section.${section}`)}</span>{' '}
        <span className={classes.count}>{format.number(count)}</span>
      </UnstyledButton>
    </h3>
  );
}

function keyOf(row: Row | undefined): string {
  if (row?.kind === 'pair') return pairKey(row.pair);
  return row?.kind === 'key' ? `${row.section}/${row.key}` : `head/${row?.section}`;
}

function toggled<T>(set: ReadonlySet<T>, one: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(one)) next.add(one);
  return next;
}
