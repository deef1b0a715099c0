import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { ErrorPanel } from '~/ui/ErrorPanel';

interface Props {
  opened: boolean;
  onClose: () => void;
  onConfirm: () => void;
  /** A question, such as "Delete the dataset “refunds”?" */
  title: string;
  /** What will happen, and what will stay. */
  text: ReactNode;
  /** The verb of the button; default "Delete". */
  confirmLabel?: string;
  /** Whether something is lost; default true. */
  danger?: boolean;
  loading?: boolean;
  error?: Error | null;
}

/** Asks before something is done that cannot be undone. */
export function ConfirmDialog({ opened, onClose, onConfirm, title, text, confirmLabel, danger = true, loading = false, error }: Props) {
  const { t } = useTranslation('common');
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        <Text component="div">{text}</Text>
        {error && <ErrorPanel error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t('cancel')}
          </Button>
          <Button color={danger ? 'red.8' : undefined} loading={loading} onClick={onConfirm}>
            {confirmLabel ?? t('delete')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
