import { Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ActivateQuestion } from '~/screens/agents/ActivateQuestion';
import type { Target } from '~/screens/agents/targets';

interface Props {
  target: Target;
  /** The version to make active; null while nothing is asked. */
  number: number | null;
  onClose: () => void;
}

/** Shows what the gate says, asks, then makes a version the one that runs. */
export function ActivateDialog({ target, number, onClose }: Props) {
  const { t } = useTranslation(['agents', 'common']);
  // The number stays while the dialog fades.
  const [shown, setShown] = useState(number);
  if (number !== null && number !== shown) setShown(number);
  return (
    <Modal opened={number !== null} onClose={onClose} title={t('activate.title', { number: shown ?? 0 })} size="lg" centered closeButtonProps={{ 'aria-label': t('common:close') }}>
      {shown !== null && (
        <Stack>
          <Text>{t('activate.text')}</Text>
          {target.active !== null && target.active !== shown && <Text c="dimmed">{t('activate.replaces', { number: target.active })}</Text>}
          <ActivateQuestion key={shown} target={target} number={shown} cancelLabel={t('common:cancel')} onCancel={onClose} onDone={onClose} />
        </Stack>
      )}
    </Modal>
  );
}
