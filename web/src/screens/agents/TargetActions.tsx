import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { Tagged } from '~/api/tagged';
import { BeginEvaluation } from '~/screens/agents/BeginEvaluation';
import { DeleteTarget } from '~/screens/agents/DeleteTarget';
import { newVersionAddress } from '~/screens/agents/addresses';
import { RenameTarget } from '~/screens/agents/RenameTarget';
import type { Target } from '~/screens/agents/targets';
import { RoleGate } from '~/ui/RoleGate';

/** What can be done with a target, wherever one is in its views. */
export function TargetActions({ target }: { target: Tagged<Target> }) {
  const { t } = useTranslation('agents');
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null);
  const close = () => setDialog(null);
  const { id, name } = target.value;
  return (
    <>
      <RoleGate role="editor">
        {(gate) => (
          <Button component={Link} to={newVersionAddress(id)} variant="default" {...gate}>
            {t('actions.newVersion')}
          </Button>
        )}
      </RoleGate>
      <BeginEvaluation target={target.value} label={t('actions.evaluate')} />
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size="input-sm" aria-label={t('actions.more', { name })}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <RoleGate role="editor">
            {(gate) => (
              <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setDialog('rename')} {...gate}>
                {t('actions.rename')}
              </Menu.Item>
            )}
          </RoleGate>
          <RoleGate role="editor">
            {(gate) => (
              <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setDialog('delete')} {...gate}>
                {t('actions.delete')}
              </Menu.Item>
            )}
          </RoleGate>
        </Menu.Dropdown>
      </Menu>
      <RenameTarget target={target} opened={dialog === 'rename'} onClose={close} />
      <DeleteTarget target={target.value} opened={dialog === 'delete'} onClose={close} />
    </>
  );
}
