import { Button, Menu, Modal, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconChevronDown, IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { Tagged } from '~/api/tagged';
import { type Dataset, useCaseCount, useChangeDataset } from '~/screens/datasets/datasets';
import { DatasetForm } from '~/screens/datasets/DatasetForm';
import { newRunAddress } from '~/screens/datasets/newRun';
import { RunSuite } from '~/screens/runs/RunSuite';
import { newScheduleAddress } from '~/screens/schedules/addresses';
import { RoleGate, RoleOnly } from '~/ui/RoleGate';

const FORMATS = ['csv', 'json', 'jsonl'] as const;

/** What can be done with a dataset. */
export function DatasetActions({ dataset }: { dataset: Tagged<Dataset> }) {
  const { t } = useTranslation(['datasets', 'common']);
  const { id } = dataset.value;
  return (
    <>
      <EditButton dataset={dataset} />
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} aria-hidden />}>
            {t('common:export')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {FORMATS.map((format) => (
            <Menu.Item key={format} component="a" href={`/api/eval/datasets/${id}/export?format=${format}`} download>
              {t(`export.${format}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <RoleOnly>
        <ScheduleButton dataset={dataset.value} />
        <NewRunButton dataset={dataset.value} />
      </RoleOnly>
    </>
  );
}

/** Leads to the form of a schedule on this dataset, of the target that it was made for. */
function ScheduleButton({ dataset: { id, target_id } }: { dataset: Dataset }) {
  const { t } = useTranslation('schedules');
  return (
    <RoleGate role="editor">
      {(gate) => (
        <Button component={Link} to={newScheduleAddress(target_id, id)} variant="default" {...gate}>
          {t('scheduleThis')}
        </Button>
      )}
    </RoleGate>
  );
}

/** Runs the cases, once one would run: against the target that they were made for, else by the form of a new evaluation. */
function NewRunButton({ dataset }: { dataset: Dataset }) {
  const { t } = useTranslation('datasets');
  const { id, target_id } = dataset;
  const ready = useCaseCount(id, true);
  const none = ready.data === 0;
  if (target_id !== null && !none) {
    return (
      <RunSuite targetId={target_id} dataset={dataset}>
        {(open, gate) => (
          <Button leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={open} {...gate}>
            {t('run')}
          </Button>
        )}
      </RunSuite>
    );
  }
  return (
    <RoleGate role="editor">
      {(gate) =>
        none ? (
          <Tooltip label={t('newRunWhy')}>
            <Button data-disabled aria-disabled onClick={(event) => event.preventDefault()}>
              {t('newRun')}
            </Button>
          </Tooltip>
        ) : (
          <Button component={Link} to={newRunAddress(id)} {...gate}>
            {t('newRun')}
          </Button>
        )
      }
    </RoleGate>
  );
}

function EditButton({ dataset }: { dataset: Tagged<Dataset> }) {
  const { t } = useTranslation(['datasets', 'common']);
  const [opened, dialog] = useDisclosure(false);
  const change = useChangeDataset(dataset, () => {
    notifications.show({ message: t('common:saved') });
    dialog.close();
  });
  const { name, description, target_id, judge_samples } = dataset.value;
  const close = () => {
    dialog.close();
    change.reset();
  };
  return (
    <>
      <RoleGate role="editor">
        {(gate) => (
          <Button variant="default" onClick={dialog.open} {...gate}>
            {t('common:edit')}
          </Button>
        )}
      </RoleGate>
      <Modal opened={opened} onClose={close} title={t('edit')} size="lg" closeButtonProps={{ 'aria-label': t('common:close') }}>
        <DatasetForm
          initial={{ name, description, target_id, judge_samples }}
          submitLabel={t('common:save')}
          onSubmit={(_, changes) => (Object.keys(changes).length > 0 ? change.mutate(changes) : close())}
          onCancel={close}
          saving={change.isPending}
          error={change.error}
        />
      </Modal>
    </>
  );
}
