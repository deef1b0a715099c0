import { Skeleton } from '@mantine/core';
import { type UseQueryOptions, useQueries } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useRef } from 'react';

import { useListTop } from '~/ui/listTop';

import classes from './VirtualRows.module.css';

interface Props<T> {
  /** What is listed, for screen readers. */
  label: string;
  /** Rows in all, from the first answer or from the run. */
  total: number;
  /** Rows a page of the server. */
  size: number;
  /** How to ask for a page, counted from 1. Only pages in view are asked for. */
  page: (page: number) => UseQueryOptions<{ items: readonly T[] }>;
  /** Height of a row in pixels, before it is measured. */
  estimate: number;
  row: (item: T, index: number) => ReactNode;
}

/** A long list of which only what is in view is fetched and drawn. Rows may grow, such as when they are opened. */
export function VirtualRows<T>({ label, total, size, page, estimate, row }: Props<T>) {
  const list = useRef<HTMLDivElement>(null);
  const top = useListTop(list);
  const rows = useWindowVirtualizer({ count: total, estimateSize: () => estimate, overscan: 8, scrollMargin: top });
  const visible = rows.getVirtualItems();
  const pages = [...new Set(visible.map(({ index }) => Math.floor(index / size) + 1))];
  const answers = useQueries({ queries: pages.map(page) });
  const itemAt = (index: number) => answers[pages.indexOf(Math.floor(index / size) + 1)]?.data?.items[index % size];
  return (
    <div ref={list} role="list" aria-label={label} className={classes.list} style={{ height: rows.getTotalSize() }}>
      {visible.map(({ index, key, start }) => {
        const item = itemAt(index);
        return (
          <div
            key={key}
            role="listitem"
            aria-setsize={total}
            aria-posinset={index + 1}
            data-index={index}
            ref={rows.measureElement}
            className={classes.row}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {item === undefined ? <Skeleton height={estimate - 12} my={6} /> : row(item, index)}
          </div>
        );
      })}
    </div>
  );
}
