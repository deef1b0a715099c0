import type { ReactNode } from 'react';

import classes from './TraceView.module.css';

/** A titled part of what a span says. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h3 className={classes.partTitle}>{title}</h3>
      {children}
    </section>
  );
}
