import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { CopyButton } from '~/ui/CopyButton';

import classes from './SecretOnce.module.css';

interface Props {
  title: string;
  text: string;
  /** What the secret is, for screen readers. */
  label: string;
  /** Shown this once; null while there is nothing to show. */
  secret: string | null;
  onClose: () => void;
}

/** Shows a secret once, to be copied. A click beside it does not close it, since it does not come back. */
export function SecretOnce({ title, text, label, secret, onClose }: Props) {
  const { t } = useTranslation('common');
  return (
    <Modal opened={secret !== null} onClose={onClose} title={title} centered closeOnClickOutside={false} closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        <Text>{text}</Text>
        <div className={classes.secret} role="group" aria-label={label}>
          <span>{secret}</span>
          <CopyButton value={secret ?? ''} />
        </div>
        <Group justify="flex-end">
          <Button onClick={onClose}>{t('close')}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
