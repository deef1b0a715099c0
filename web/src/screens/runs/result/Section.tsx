import { Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

import classes from './CaseResult.module.css';

/** A part of the page under its heading. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id} className={classes.heading}>
        {title}
      </Title>
      {children}
    </section>
  );
}
