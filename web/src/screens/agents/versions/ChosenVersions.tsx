import { Button, Group, Paper, Text } from '@mantine/core';
import { IconGitCompare } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { compareAddress } from '~/screens/agents/addresses';

import classes from './ChosenVersions.module.css';

interface Props {
  targetId: string;
  /** Numbers of versions, at most two. */
  chosen: readonly number[];
  onClear: () => void;
}

/** The versions that were chosen for comparing; the older one stands first. It is at the foot of the window. */
export function ChosenVersions({ targetId, chosen, onClear }: Props) {
  const { t } = useTranslation(['agents', 'common']);
  const [a, b] = [...chosen].sort((x, y) => x - y);
  if (a === undefined) return null;
  return (
    <Paper className={classes.bar} shadow="md" role="region" aria-label={t('diff.chosen')}>
      <Text size="sm" className={classes.text} role="status">
        {b === undefined ? t('diff.chosenOne', { number: a }) : t('diff.chosenTwo', { a, b })}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Button variant="default" onClick={onClear}>
          {t('common:clear')}
        </Button>
        {b !== undefined && (
          <Button component={Link} to={compareAddress(targetId, a, b)} leftSection={<IconGitCompare size={16} aria-hidden />}>
            {t('diff.compare')}
          </Button>
        )}
      </Group>
    </Paper>
  );
}
