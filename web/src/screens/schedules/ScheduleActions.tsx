import { ActionIcon, Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconDots, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { type Schedule, useDeleteSchedule, usePauseOrResume } from '~/screens/schedules/scheduleQueries';
import { zonedText, readersZone } from '~/screens/schedules/zones';
import { ConfirmDialog } from '~/ui/ConfirmDialog';
import { useErrorText } from '~/ui/errorText';
import { RoleGate } from '~/ui/RoleGate';

interface Props {
  schedule: Schedule;
  onEdit: () => void;
  /** When it is deleted. */
  onGone: () => void;
  /** Buttons with words rather than signs alone. */
  wide?: boolean;
}

/** What can be done with a schedule. */
export function ScheduleActions({ schedule, onEdit, onGone, wide = false }: Props) {
  const { t } = useTranslation(['schedules', 'common']);
  const [asking, setAsking] = useState(false);
  return (
    <>
      {(schedule.paused || schedule.next_at !== null) && <PauseOrResume schedule={schedule} wide={wide} />}
      {wide && (
        <RoleGate role="editor">
          {(gate) => (
            <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit} {...gate}>
              {t('common:edit')}
            </Button>
          )}
        </RoleGate>
      )}
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon variant={wide ? 'default' : 'subtle'} color="gray" size={wide ? 'input-sm' : undefined} aria-label={t('action.more', { name: schedule.name })}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!wide && (
            <RoleGate role="editor">
              {(gate) => (
                <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit} {...gate}>
                  {t('common:edit')}
                </Menu.Item>
              )}
            </RoleGate>
          )}
          <RoleGate role="editor">
            {(gate) => (
              <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsking(true)} {...gate}>
                {t('common:delete')}
              </Menu.Item>
            )}
          </RoleGate>
        </Menu.Dropdown>
      </Menu>
      {asking && <DeleteSchedule schedule={schedule} onClose={() => setAsking(false)} onGone={onGone} />}
    </>
  );
}

function PauseOrResume({ schedule, wide }: { schedule: Schedule; wide: boolean }) {
  const { t, i18n } = useTranslation('schedules');
  const { name, paused } = schedule;
  const change = usePauseOrResume(schedule, ({ next_at }) => {
    const time = next_at && zonedText(i18n.language, next_at, readersZone());
    notifications.show({ message: time ? t('action.resumed', { name, time }) : t('action.paused', { name }) });
  });
  const fault = useErrorText(change.error);
  const [told, setTold] = useState(change.error);
  if (change.error !== told) {
    setTold(change.error);
    if (change.error) notifications.show({ color: 'red', title: fault.title, message: fault.detail });
  }
  const Icon = paused ? IconPlayerPlay : IconPlayerPause;
  const label = t(paused ? 'action.resume' : 'action.pause');
  return (
    <RoleGate role="editor">
      {(gate) =>
        wide ? (
          <Button variant="default" leftSection={<Icon size={16} aria-hidden />} loading={change.isPending} onClick={() => change.mutate()} {...gate}>
            {label}
          </Button>
        ) : (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t(paused ? 'action.resumeOf' : 'action.pauseOf', { name })}
            title={label}
            loading={change.isPending}
            onClick={() => change.mutate()}
            {...gate}
          >
            <Icon size={18} aria-hidden />
          </ActionIcon>
        )
      }
    </RoleGate>
  );
}

function DeleteSchedule({ schedule: { id, name }, onClose, onGone }: { schedule: Schedule; onClose: () => void; onGone: () => void }) {
  const { t } = useTranslation('schedules');
  const remove = useDeleteSchedule(id, () => {
    notifications.show({ message: t('delete.done', { name }) });
    onClose();
    onGone();
  });
  return <ConfirmDialog opened onClose={onClose} onConfirm={() => remove.mutate()} title={t('delete.title', { name })} text={t('delete.text')} loading={remove.isPending} error={remove.error} />;
}
