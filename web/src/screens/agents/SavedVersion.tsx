import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { ActivateQuestion } from '~/screens/agents/ActivateQuestion';
import type { Target, Version } from '~/screens/agents/targets';

export interface VersionSaved {
  version: Version;
  /** Whether it was added; one with the same definition may have been there. */
  isNew: boolean;
}

/** After saving: whether the version is to be active at once. Either way leads back to the overview. */
export function SavedVersion({ target, saved: { version, isNew } }: { target: Target; saved: VersionSaved }) {
  const { t } = useTranslation(['agents', 'common']);
  const navigate = useNavigate();
  const { number } = version;
  const leave = () => void navigate(`/agents/${target.id}`);
  const active = target.active === number;
  return (
    <Modal opened onClose={leave} title={t(isNew ? 'edit.savedTitle' : 'edit.sameTitle', { number })} size="lg" centered closeButtonProps={{ 'aria-label': t('common:close') }}>
      <Stack>
        {!isNew && <Text>{t('edit.sameText')}</Text>}
        <Text>{t(active ? 'edit.sameActive' : 'edit.savedText')}</Text>
        {active ? (
          <Group justify="flex-end">
            <Button variant="default" onClick={leave} data-autofocus>
              {t('common:close')}
            </Button>
          </Group>
        ) : (
          <ActivateQuestion target={target} number={number} cancelLabel={t('edit.later')} onCancel={leave} onDone={leave} />
        )}
      </Stack>
    </Modal>
  );
}
