import { Text } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import type { ReactNode } from 'react';

import classes from './Human.module.css';

interface Props {
  /** Which step asks, and for whom. */
  title: ReactNode;
  aside?: ReactNode;
  question: string;
  children: ReactNode;
}

/** What a person is asked, and below it the answer or the form for it. The question is shown as text. */
export function Question({ title, aside, question, children }: Props) {
  return (
    <div className={classes.question}>
      <div className={classes.head}>
        <IconHandStop size={18} aria-hidden />
        <Text fw={600} component="div">
          {title}
        </Text>
        {aside && (
          <Text size="sm" c="dimmed" component="div" className={classes.aside}>
            {aside}
          </Text>
        )}
      </div>
      <p className={classes.text} tabIndex={0}>
        {question}
      </p>
      {children}
    </div>
  );
}
