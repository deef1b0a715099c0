import { Button, Group, Paper, Text } from '@mantine/core';
import { IconGitCompare } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { type Run, targetName } from '~/screens/runs/runQueries';

import classes from './ChosenBar.module.css';

/** The runs that were chosen for comparing; the older one is the baseline. It stands at the foot of the window. */
export function ChosenBar({ chosen, onClear }: { chosen: Run[]; onClear: () => void }) {
  const { t } = useTranslation(['runs', 'common']);
  const [a, b] = [...chosen].sort((x, y) => (x.created_at < y.created_at ? -1 : 1));
  return (
    <Paper className={classes.bar} shadow="md" role="region" aria-label={t('chosen.label')}>
      <Text size="sm" className={classes.text} role="status">
        {a && b ? t('chosen.two', { a: targetName(a), b: targetName(b) }) : t('chosen.one', { name: a ? targetName(a) : '' })}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Button variant="default" onClick={onClear}>
          {t('common:clear')}
        </Button>
        {a && b && (
          <Button component={Link} to={`/compare?a=${a.id}&b=${b.id}`} leftSection={<IconGitCompare size={16} aria-hidden />}>
            {t('chosen.compare')}
          </Button>
        )}
      </Group>
    </Paper>
  );
}
