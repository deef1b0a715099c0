import { Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Run } from '~/screens/runs/runQueries';
import { useFormat } from '~/ui/format';
import { StatusBadge } from '~/ui/StatusBadge';

/** Where a run stands; how far it is while it goes on, and that it stands still when nobody works on it. */
export function RunState({ run }: { run: Run }) {
  const { t } = useTranslation('runs');
  const format = useFormat();
  const { passed, failed, errors, total } = run.progress;
  return (
    <Group gap={6} wrap="nowrap">
      <StatusBadge status={run.status} />
      {run.interrupted && (
        <Text size="sm" c="dimmed">
          {t('interrupted.word')}
        </Text>
      )}
      {run.status === 'running' && !run.interrupted && (
        <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {format.number(passed + failed + errors)} {'/'} {format.number(total)}
        </Text>
      )}
    </Group>
  );
}
