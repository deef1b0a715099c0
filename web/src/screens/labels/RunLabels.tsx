import { Anchor, Button, Group, Paper, Text } from '@mantine/core';
import { IconUserCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { labelCountQuery } from '~/screens/labels/labelQueries';
import type { Run } from '~/screens/runs/runQueries';

/** How many results of a judged run people have labelled, and the ways to label and to the judges' calibration. */
export function RunLabels({ run }: { run: Run }) {
  const { t } = useTranslation('labels');
  const judged = run.spec.judge !== null && run.summary !== null;
  const count = useQuery({ ...labelCountQuery(run.id), enabled: judged });
  if (!judged || count.data === undefined) return null;
  return (
    <Paper p="md" component="section" aria-label={t('ofRun.label')}>
      <Group justify="space-between" gap="sm">
        <Text size="sm" flex="1 1 320px">
          {t('ofRun.text', { count: count.data })}
        </Text>
        <Group gap="md">
          <Anchor component={Link} to={`/calibration?run=${run.id}`} size="sm">
            {t('ofRun.calibration')}
          </Anchor>
          <Button component={Link} to={`/runs/${run.id}/labelling`} variant="default" size="xs" leftSection={<IconUserCheck size={16} aria-hidden />}>
            {t('ofRun.label')}
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
