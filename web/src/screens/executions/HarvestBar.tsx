import { Button, CloseButton, Group, Paper, Text, Transition } from '@mantine/core';
import { IconDatabasePlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { AddDrafts } from '~/screens/executions/AddDrafts';
import type { ExecutionEntry } from '~/screens/executions/executions';

import classes from './HarvestBar.module.css';

/** What can be done with the chosen executions. It stands at the foot of the page while some are chosen. */
export function HarvestBar({ chosen, onDone }: { chosen: readonly ExecutionEntry[]; onDone: () => void }) {
  const { t } = useTranslation('executions');
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Transition mounted={chosen.length > 0} transition="slide-up">
        {(styles) => (
          <Paper style={styles} className={classes.bar} shadow="md" role="region" aria-label={t('harvest.label')}>
            <Group gap="xs">
              <Group gap={4} wrap="nowrap">
                <Text fw={600} role="status">
                  {t('harvest.chosen', { count: chosen.length })}
                </Text>
                <CloseButton size="sm" aria-label={t('harvest.clear')} onClick={onDone} />
              </Group>
              <Button size="xs" leftSection={<IconDatabasePlus size={16} aria-hidden />} onClick={() => setAsked(true)}>
                {t('harvest.button')}
              </Button>
            </Group>
          </Paper>
        )}
      </Transition>
      {asked && (
        <AddDrafts
          executions={chosen}
          onClose={() => setAsked(false)}
          onAdded={() => {
            setAsked(false);
            onDone();
          }}
        />
      )}
    </>
  );
}
