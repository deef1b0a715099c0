import { Checkbox, Group, Paper, Skeleton, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { EmptyState } from '~/ui/EmptyState';
import { ErrorPanel } from '~/ui/ErrorPanel';
import type { ListParams } from '~/ui/listParams';
import { Pages } from '~/ui/Pages';
import { SearchBox } from '~/ui/SearchBox';

import classes from './DataTable.module.css';

export interface Column<T> {
  key: string;
  header: string;
  cell: (item: T) => ReactNode;
  /** Below the cell, and not part of the row's link. */
  detail?: (item: T) => ReactNode;
  /** Figures stand to the right. */
  align?: 'right';
  /** CSS width on wide screens. */
  width?: string;
}

/** Rows that can be chosen, to do something to several. */
export interface Selection<T> {
  /** Row keys. */
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  /** What a row's box is called. */
  label: (item: T) => string;
}

export interface Paged<T> {
  items: readonly T[];
  total: number;
  pages: number;
}

interface Props<T> {
  /** What is listed, for screen readers. */
  label: string;
  query: UseQueryResult<Paged<T>>;
  params: ListParams;
  /** The first one names the row; it carries the link. */
  columns: Column<T>[];
  rowKey: (item: T) => string;
  /** Where a row leads; the whole row can be clicked. */
  rowLink?: (item: T) => string;
  selection?: Selection<T>;
  /** What to say when there is nothing at all, and what to do next. */
  empty: { title: string; text: ReactNode; action?: ReactNode };
  /** Whether there is a search field; default true. */
  searchable?: boolean;
  /** Further fields beside the search. */
  filters?: ReactNode;
  /** Whether a filter is set, so that an empty list is one where nothing matches. */
  filtered?: boolean;
  /** Up to which number the server counts the list; a larger total stands for more than that. */
  mostCounted?: number;
}

/** A list in server pages: a table on wide screens, cards on narrow ones. */
export function DataTable<T>(props: Props<T>) {
  const { label, query, params, empty, searchable = true, filters, filtered = false, mostCounted } = props;
  const { t } = useTranslation('ui');
  const { data } = query;
  const narrowed = params.q !== '' || filtered;
  const nothing = data?.total === 0 && !narrowed;
  return (
    <section aria-label={label}>
      {(searchable || filters) && !nothing && (
        <Group mb="md" gap="sm">
          {searchable && <SearchBox value={params.q} onChange={params.setQ} />}
          {filters}
        </Group>
      )}
      {query.isError && !data && <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Waiting />}
      {nothing && (
        <Paper>
          <EmptyState {...empty} />
        </Paper>
      )}
      {data && !nothing && (
        <>
          {data.items.length > 0 ? <Rows {...props} items={data.items} stale={query.isPlaceholderData} /> : <Text py="lg">{t('table.noMatch')}</Text>}
          <Pages params={params} total={data.total} pages={data.pages} mostCounted={mostCounted} shown={data.items.length} />
        </>
      )}
    </section>
  );
}

/** Roles are written out, since a table that is laid out as cards is no table to a screen reader otherwise. */
function Rows<T>({ label, columns, rowKey, rowLink, items, stale, selection }: Props<T> & { items: readonly T[]; stale: boolean }) {
  return (
    <Paper className={classes.frame}>
      <table role="table" aria-label={label} className={classes.table} data-stale={stale || undefined}>
        <thead role="rowgroup" className={classes.head}>
          <tr role="row">
            {selection && <ChooseAll selection={selection} keys={items.map(rowKey)} />}
            {columns.map(({ key, header, align, width }) => (
              <th key={key} role="columnheader" scope="col" data-align={align} style={{ width }}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {items.map((item) => (
            <tr key={rowKey(item)} role="row" className={classes.row} data-link={rowLink ? true : undefined} data-chosen={selection?.chosen.has(rowKey(item)) || undefined}>
              {selection && <Choose selection={selection} item={item} itemKey={rowKey(item)} />}
              {columns.map(({ key, header, align, width, cell, detail }, index) => (
                <td key={key} role="cell" data-align={align} data-label={index > 0 ? header : undefined} data-share={width?.endsWith('%') || undefined}>
                  {index === 0 && rowLink ? (
                    <Link to={rowLink(item)} className={classes.link}>
                      {cell(item)}
                    </Link>
                  ) : (
                    cell(item)
                  )}
                  {detail?.(item)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Paper>
  );
}

function ChooseAll<T>({ selection: { chosen, onChange }, keys }: { selection: Selection<T>; keys: string[] }) {
  const { t } = useTranslation('ui');
  const count = keys.filter((key) => chosen.has(key)).length;
  const all = count === keys.length;
  return (
    <th role="columnheader" scope="col" className={classes.choose}>
      <Checkbox size="xs" aria-label={t('table.chooseAll')} checked={all} indeterminate={count > 0 && !all} onChange={() => onChange(new Set(all ? [] : keys))} />
    </th>
  );
}

function Choose<T>({ selection: { chosen, onChange, label }, item, itemKey }: { selection: Selection<T>; item: T; itemKey: string }) {
  const { t } = useTranslation('ui');
  const toggle = () => onChange(new Set(chosen.has(itemKey) ? [...chosen].filter((key) => key !== itemKey) : [...chosen, itemKey]));
  return (
    <td role="cell" className={classes.choose}>
      <Checkbox size="xs" aria-label={t('table.choose', { item: label(item) })} checked={chosen.has(itemKey)} onChange={toggle} />
    </td>
  );
}

function Waiting() {
  const { t } = useTranslation('ui');
  return (
    <Paper p="md" aria-busy aria-label={t('loading')} role="status">
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} height={18} my={14} width={`${92 - index * 7}%`} />
      ))}
    </Paper>
  );
}
