import { Button, Group, Kbd, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { RoleGate } from '~/ui/RoleGate';

import classes from './CaseForm.module.css';

interface Props {
  error: ReactNode;
  saving: boolean;
  onAnother: () => void;
  onCancel: () => void;
}

/** The buttons of the form; they stay in view. */
export function CaseFooter({ error, saving, onAnother, onCancel }: Props) {
  const { t } = useTranslation(['datasets', 'common']);
  return (
    <Stack gap="sm" className={classes.footer}>
      {error}
      <Group gap="xs">
        <RoleGate role="editor">
          {(gate) => (
            <Button type="submit" loading={saving} {...gate}>
              {t('common:save')}
            </Button>
          )}
        </RoleGate>
        <RoleGate role="editor">
          {(gate) => (
            <Button variant="default" disabled={saving} aria-keyshortcuts="Control+Enter" onClick={onAnother} {...gate}>
              {t('case.saveAndAdd')}
              <Kbd size="xs" ml={8} visibleFrom="sm" aria-hidden>
                {t('case.saveAndAddKey')}
              </Kbd>
            </Button>
          )}
        </RoleGate>
        <Button variant="subtle" color="gray" visibleFrom="sm" onClick={onCancel}>
          {t('common:cancel')}
        </Button>
      </Group>
    </Stack>
  );
}
