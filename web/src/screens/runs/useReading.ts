import { type RefObject, useCallback, useRef, useState } from 'react';

export interface Reading {
  /** Goes on the list. */
  list: RefObject<HTMLDivElement | null>;
  /** Keys of the rows that are open. */
  opened: ReadonlySet<string>;
  toggle: (key: string) => void;
  /** Whether somebody has scrolled into the list, or opened a row of it: nothing may move then. */
  isReading: () => boolean;
}

/** Which rows of a list are open, and whether somebody is reading in it. */
export function useReading(): Reading {
  const list = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = useCallback((key: string) => {
    setOpened((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  }, []);
  const isReading = () => opened.size > 0 || (list.current?.getBoundingClientRect().top ?? 0) < 0;
  return { list, opened, toggle, isReading };
}
