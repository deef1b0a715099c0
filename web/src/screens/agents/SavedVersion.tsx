import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { type Target, useActivate, type Version } from '~/screens/agents/targets';
import { ErrorPanel } from '~/ui/ErrorPanel';

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
  const activate = useActivate(target.id, () => {
    notifications.show({ message: t('activate.done', { number }) });
    leave();
  });
  const active = target.active === number;
  return (
    <Modal opened onClose={leave} title={t(isNew ? 'edit.savedTitle' : 'edit.sameTitle', { number })} centered closeButtonProps={{ 'aria-label': t('common:close') }}>
      <Stack>
        {!isNew && <Text>{t('edit.sameText')}</Text>}
        <Text>{t(active ? 'edit.sameActive' : 'edit.savedText')}</Text>
        {activate.error && <ErrorPanel error={activate.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={leave} data-autofocus>
            {active ? t('common:close') : t('edit.later')}
          </Button>
          {!active && (
            <Button loading={activate.isPending} onClick={() => activate.mutate(number)}>
              {t('edit.activate')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
