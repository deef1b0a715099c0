import { Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { EmptyState } from '~/ui/EmptyState';
import { useMay } from '~/ui/RoleGate';

/** What only owners see; for the others, why not. */
export function OwnersOnly({ reason, children }: { reason: string; children: ReactNode }) {
  const { t } = useTranslation('settings');
  const { may } = useMay('owner');
  if (may) return children;
  return (
    <Paper>
      <EmptyState title={t('ownersOnly.title')} text={reason} />
    </Paper>
  );
}
