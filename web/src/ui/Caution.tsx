import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';

import classes from './Caution.module.css';

interface Props {
  title: string;
  children: ReactNode;
}

/** Something to think about before going on; nothing has failed. */
export function Caution({ title, children }: Props) {
  return (
    <Alert color="orange" role="status" title={title} icon={<IconAlertTriangle aria-hidden />} className={classes.caution} styles={{ title: { color: 'var(--mantine-color-text)' }, icon: { color: 'var(--aloi-error)' } }}>
      {children}
    </Alert>
  );
}
