import { Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { type Target, useActivate } from '~/screens/agents/targets';
import { ConfirmDialog } from '~/ui/ConfirmDialog';

interface Props {
  target: Target;
  /** The version to make active; null while nothing is asked. */
  number: number | null;
  onClose: () => void;
}

/** Asks, then makes a version the one that runs. */
export function ActivateDialog({ target, number, onClose }: Props) {
  const { t } = useTranslation('agents');
  // The number stays while the dialog fades.
  const [shown, setShown] = useState(number);
  if (number !== null && number !== shown) setShown(number);
  const activate = useActivate(target.id, ({ active }) => {
    notifications.show({ message: t('activate.done', { number: active }) });
    onClose();
  });
  const close = () => {
    onClose();
    activate.reset();
  };
  return (
    <ConfirmDialog
      opened={number !== null}
      onClose={close}
      onConfirm={() => number !== null && activate.mutate(number)}
      title={t('activate.title', { number: shown ?? 0 })}
      text={
        <Stack gap="xs">
          <Text>{t('activate.text')}</Text>
          {target.active !== null && target.active !== shown && <Text c="dimmed">{t('activate.replaces', { number: target.active })}</Text>}
        </Stack>
      }
      confirmLabel={t('activate.confirm')}
      danger={false}
      loading={activate.isPending}
      error={activate.error}
    />
  );
}
