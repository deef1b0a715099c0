import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

import classes from './EmptyState.module.css';

interface Props {
  title: string;
  /** What to do next. */
  text: ReactNode;
  action?: ReactNode;
}

/** Where a list has nothing yet: what belongs here, and how to begin. */
export function EmptyState({ title, text, action }: Props) {
  return (
    <div className={classes.empty}>
      <svg viewBox="0 0 48 48" aria-hidden className={classes.mark}>
        <path d="M24 3 45 24 24 45 3 24Z" />
        <path d="M24 13 35 24 24 35 13 24Z" />
      </svg>
      <Title order={2}>{title}</Title>
      <Text c="dimmed" maw={480} component="div">
        {text}
      </Text>
      {action}
    </div>
  );
}
