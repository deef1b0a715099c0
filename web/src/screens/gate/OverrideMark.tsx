import { Badge, Tooltip } from '@mantine/core';
import { IconShieldOff } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import type { Override } from '~/screens/gate/gateQueries';
import { useFormat } from '~/ui/format';

/** In a list: that an owner let this version pass against the gate. */
export function OverrideMark({ override: { by, at, reason } }: { override: Override }) {
  const { t } = useTranslation('gate');
  const format = useFormat();
  return (
    <Tooltip label={t('override.text', { by, when: format.dateTime(at), reason })}>
      <Badge color="orange" variant="light" tabIndex={0} flex="none" leftSection={<IconShieldOff size={14} aria-hidden />} styles={{ label: { color: 'var(--mantine-color-text)' } }}>
        {t('override.mark')}
      </Badge>
    </Tooltip>
  );
}
