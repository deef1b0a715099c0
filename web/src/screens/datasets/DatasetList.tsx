import { ActionIcon, Anchor, Button, Group, Menu, Text } from '@mantine/core';
import { IconDots, IconPlayerPlay, IconSettings, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { type DatasetEntry, useDatasets } from '~/screens/datasets/datasets';
import { DeleteDataset } from '~/screens/datasets/DeleteDataset';
import { NewDatasetButton } from '~/screens/datasets/NewDatasetButton';
import { newRunAddress } from '~/screens/datasets/newRun';
import { RunSuite } from '~/screens/runs/RunSuite';
import { type Column, DataTable } from '~/ui/DataTable';
import { useFormat } from '~/ui/format';
import { useListParams } from '~/ui/listParams';
import { OwnTargetOnly, RoleGate } from '~/ui/RoleGate';
import { StatusBadge } from '~/ui/StatusBadge';
import { DateTime } from '~/ui/Values';

/** Datasets with their last runs; those made for a target where one is named. */
export function DatasetList({ targetId }: { targetId?: string }) {
  const { t } = useTranslation('datasets');
  const params = useListParams();
  const [leaving, setLeaving] = useState<DatasetEntry | null>(null);
  const query = useDatasets({ q: params.q, target_id: targetId, page: params.page, size: params.size });
  const actions = (
    <Group justify="center">
      <NewDatasetButton targetId={targetId} />
      <NewDatasetButton targetId={targetId} importing />
    </Group>
  );
  return (
    <>
      <DataTable
        label={t('title')}
        query={query}
        params={params}
        columns={useColumns(setLeaving, targetId)}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/datasets/${id}`}
        empty={{ title: targetId ? t('empty.titleOfTarget') : t('empty.title'), text: t('empty.text'), action: actions }}
      />
      <DeleteDataset dataset={leaving} onClose={() => setLeaving(null)} />
    </>
  );
}

function useColumns(onDelete: (dataset: DatasetEntry) => void, targetId: string | undefined): Column<DatasetEntry>[] {
  const { t } = useTranslation('datasets');
  const format = useFormat();
  return [
    {
      key: 'name',
      header: t('column.name'),
      width: '36%',
      cell: ({ name }) => <Text component="span" inherit lineClamp={2}>{name}</Text>,
      detail: ({ description }) => description && <Text size="sm" c="dimmed" lineClamp={2}>{description}</Text>,
    },
    { key: 'cases', header: t('column.cases'), align: 'right', cell: ({ case_count }) => format.number(case_count) },
    { key: 'evaluators', header: t('column.evaluators'), align: 'right', cell: ({ evaluator_count }) => format.number(evaluator_count) },
    { key: 'run', header: t('column.lastRun'), cell: ({ last_run }) => <LastRun run={last_run} /> },
    ...(targetId ? [{ key: 'start', header: t('column.run'), cell: (dataset: DatasetEntry) => <RunButton dataset={dataset} targetId={targetId} /> }] : []),
    { key: 'changed', header: t('column.changed'), cell: ({ updated_at }) => <DateTime time={updated_at} /> },
    { key: 'actions', header: t('column.actions'), align: 'right', width: '1px', cell: (dataset) => <Actions dataset={dataset} onDelete={() => onDelete(dataset)} /> },
  ];
}

/** Runs the dataset against its target, where a case would run. */
function RunButton({ dataset, targetId }: { dataset: DatasetEntry; targetId: string }) {
  const { t } = useTranslation('datasets');
  if (!dataset.runnable) return <Text size="sm" c="dimmed">{t('noneReady')}</Text>;
  return (
    <RunSuite targetId={targetId} dataset={dataset}>
      {(open, gate) => (
        <Button size="xs" variant="default" leftSection={<IconPlayerPlay size={14} aria-hidden />} aria-label={t('runOf', { name: dataset.name })} onClick={open} {...gate}>
          {t('run')}
        </Button>
      )}
    </RunSuite>
  );
}

/** How the newest run went, leading to it. */
function LastRun({ run }: { run: DatasetEntry['last_run'] }) {
  const { t } = useTranslation('datasets');
  const format = useFormat();
  if (!run) return <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>{t('lastRun.none')}</Text>;
  const { status, passed, decided } = run;
  const rate = passed !== null && decided ? t('lastRun.rate', { decided: format.number(decided), rate: format.percent(passed / decided) }) : null;
  return (
    <Anchor component={Link} to={`/runs/${run.id}`} c="inherit" size="sm">
      <Group gap="2px 8px">
        <StatusBadge status={status} />
        {rate && <span style={{ whiteSpace: 'nowrap' }}>{rate}</span>}
      </Group>
    </Anchor>
  );
}

function Actions({ dataset, onDelete }: { dataset: DatasetEntry; onDelete: () => void }) {
  const { t } = useTranslation(['datasets', 'common']);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsOf', { name: dataset.name })}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <RoleGate role="editor">
          {(gate) => (
            <Menu.Item component={Link} to={newRunAddress(dataset.id)} disabled={!dataset.runnable} leftSection={<IconPlayerPlay size={16} aria-hidden />} {...gate}>
              {dataset.runnable ? t('newRun') : t('newRunNotReady')}
            </Menu.Item>
          )}
        </RoleGate>
        <Menu.Item component={Link} to={`/datasets/${dataset.id}/settings`} leftSection={<IconSettings size={16} aria-hidden />}>
          {t('tab.settings')}
        </Menu.Item>
        <OwnTargetOnly targetId={dataset.target_id}>
          <RoleGate role="editor">
            {(gate) => (
              <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete} {...gate}>
                {t('common:delete')}
              </Menu.Item>
            )}
          </RoleGate>
        </OwnTargetOnly>
      </Menu.Dropdown>
    </Menu>
  );
}
