import { useLayoutEffect, useRef } from 'react';
import { NavLink, useLocation } from 'react-router';

import classes from './LinkTabs.module.css';

export interface LinkTab {
  to: string;
  label: string;
  /** How many there are within. */
  count?: string;
  /** Whether only exactly this address is the tab, for the one that the others lie below. */
  end?: boolean;
}

/** The views of one thing, each at an address of its own. */
export function LinkTabs({ label, tabs }: { label: string; tabs: LinkTab[] }) {
  const { pathname } = useLocation();
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (bar.current) reveal(bar.current);
  }, [pathname]);
  return (
    <nav aria-label={label} className={classes.tabs} ref={bar}>
      {tabs.map(({ to, label: name, count, end }) => (
        <NavLink key={to} to={to} end={end} className={classes.tab}>
          {name}
          {count !== undefined && <span className={classes.count}>{count}</span>}
        </NavLink>
      ))}
    </nav>
  );
}

/** Moves the bar, and nothing else, so that the tab one is at can be seen. */
function reveal(bar: HTMLElement): void {
  const tab = bar.querySelector<HTMLElement>('[aria-current="page"]');
  if (tab) bar.scrollLeft = tab.offsetLeft - bar.offsetLeft - (bar.clientWidth - tab.offsetWidth) / 2;
}
