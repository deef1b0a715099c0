import { Button, CloseButton, Group, Paper, Text, Transition } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { useChangeCases } from '~/screens/datasets/cases/caseQueries';
import { ConfirmDialog } from '~/ui/ConfirmDialog';
import { ErrorPanel } from '~/ui/ErrorPanel';

import classes from './BulkBar.module.css';

const ACTIONS = ['enable', 'disable', 'ready', 'draft'] as const;

interface Props {
  datasetId: string;
  /** The chosen cases. */
  ids: string[];
  /** `deleted`: whether they are gone. */
  onDone: (deleted: boolean) => void;
}

/** What can be done to the chosen cases at once. It stands at the foot of the page while some are chosen. */
export function BulkBar({ datasetId, ids, onDone }: Props) {
  const { t } = useTranslation(['datasets', 'common']);
  const change = useChangeCases(datasetId);
  const [asked, setAsked] = useState(false);
  const act = (action: Schemas['BulkAction']) =>
    change.mutate(
      { case_ids: ids, action },
      {
        onSuccess: ({ changed }) => {
          notifications.show({ message: t(`bulk.done.${action}`, { count: changed }) });
          setAsked(false);
          onDone(action === 'delete');
        },
      },
    );
  return (
    <>
      <Transition mounted={ids.length > 0} transition="slide-up">
        {(styles) => (
          <Paper style={styles} className={classes.bar} shadow="md" role="region" aria-label={t('bulk.label')}>
            {change.error && !asked && <ErrorPanel error={change.error} />}
            <Group gap="xs">
              <Text fw={600} role="status">
                {t('bulk.chosen', { count: ids.length })}
              </Text>
              {ACTIONS.map((action) => (
                <Button key={action} size="xs" variant="default" disabled={change.isPending} onClick={() => act(action)}>
                  {t(`bulk.${action}`)}
                </Button>
              ))}
              <Button size="xs" variant="default" disabled={change.isPending} onClick={() => setAsked(true)}>
                {t('common:delete')}
              </Button>
              <CloseButton aria-label={t('bulk.clear')} onClick={() => onDone(false)} />
            </Group>
          </Paper>
        )}
      </Transition>
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        onConfirm={() => act('delete')}
        title={t('bulk.deleteTitle', { count: ids.length })}
        text={t('bulk.deleteText')}
        loading={change.isPending}
        error={change.error}
      />
    </>
  );
}
