import { Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  title: string;
  /** Beside the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of an execution under its heading. */
export function Part({ title, actions, children }: Props) {
  return (
    <div style={{ marginBlockEnd: 28 }}>
      <Group justify="space-between" mb={8} gap="xs">
        <Title order={2}>
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </div>
  );
}
