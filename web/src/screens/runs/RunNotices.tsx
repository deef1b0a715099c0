import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle, IconPlayerPause } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import type { Run } from '~/screens/runs/runQueries';
import type { RunActionSet } from '~/screens/runs/useRunActions';
import { RoleGate } from '~/ui/RoleGate';

/** What one must know before one reads the numbers: why it stopped, that it stands still, what was left out. */
export function RunNotices({ run, actions }: { run: Run; actions: RunActionSet }) {
  const { t } = useTranslation('runs');
  const { summary } = run;
  return (
    <>
      {run.status === 'failed' && (
        <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={t('failed.title')} role="alert">
          {run.reason ?? t('failed.text')}
        </Alert>
      )}
      {run.status === 'cancelled' && (
        <Alert color="gray" icon={<IconInfoCircle aria-hidden />} title={t('cancelled.title')}>
          <Group justify="space-between">
            <Text size="sm">{run.reason && run.reason !== 'cancelled' ? run.reason : t('cancelled.text')}</Text>
            <Resume actions={actions} />
          </Group>
        </Alert>
      )}
      {run.interrupted && (
        <Alert color="gold" icon={<IconPlayerPause aria-hidden />} title={t('interrupted.title')}>
          <Group justify="space-between">
            <Text size="sm">{t('interrupted.text')}</Text>
            <Resume actions={actions} />
          </Group>
        </Alert>
      )}
      {run.skipped.length > 0 && (
        <Alert color="gray" icon={<IconInfoCircle aria-hidden />} title={t('skipped.title')}>
          <Text size="sm">{t('skipped.text', { parts: run.skipped.join(', ') })}</Text>
        </Alert>
      )}
      {summary?.unstable && (
        <Alert color="gold" icon={<IconAlertTriangle aria-hidden />} title={t('unstable.title')}>
          <Text size="sm">{t('unstable.text', { count: summary.disagreed, judged: summary.judged })}</Text>
        </Alert>
      )}
    </>
  );
}

function Resume({ actions }: { actions: RunActionSet }) {
  const { t } = useTranslation('runs');
  return (
    <RoleGate role="editor">
      {(gate) => (
        <Button size="xs" variant="default" onClick={actions.resume} loading={actions.pending === 'resume'} {...gate}>
          {t('action.resume')}
        </Button>
      )}
    </RoleGate>
  );
}
