import { ActionIcon, Badge, Group, Menu, Text, Tooltip } from '@mantine/core';
import { IconCircleCheck, IconDots, IconPencil } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { ActivateDialog } from '~/screens/agents/ActivateDialog';
import { newVersionAddress, versionAddress } from '~/screens/agents/addresses';
import { type Target, useVersions, type Version } from '~/screens/agents/targets';
import { type Column, DataTable } from '~/ui/DataTable';
import { useListParams } from '~/ui/listParams';
import { RoleGate } from '~/ui/RoleGate';
import { DateTime } from '~/ui/Values';

import classes from './Overview.module.css';

const HASH_SHOWN = 8;
const PAGE = 10;

/** The versions of a target, newest first. */
export function VersionList({ target }: { target: Target }) {
  const { t } = useTranslation('agents');
  const params = useListParams(PAGE);
  const [activating, setActivating] = useState<number | null>(null);
  return (
    <>
      <DataTable
        label={t('overview.versions')}
        query={useVersions(target.id, params.page, params.size)}
        params={params}
        columns={useColumns(target, setActivating)}
        rowKey={({ id }) => id}
        rowLink={({ number }) => versionAddress(target.id, number)}
        searchable={false}
        empty={{ title: t('versions.emptyTitle'), text: t('versions.emptyText') }}
      />
      <ActivateDialog target={target} number={activating} onClose={() => setActivating(null)} />
    </>
  );
}

function useColumns(target: Target, onActivate: (number: number) => void): Column<Version>[] {
  const { t } = useTranslation('agents');
  return [
    { key: 'number', header: t('versions.number'), width: '150px', cell: ({ number }) => <Numbered number={number} active={number === target.active} /> },
    { key: 'note', header: t('versions.note'), width: '45%', cell: ({ note }) => (note ? <span>{note}</span> : <Text component="span" size="sm" c="dimmed">{t('versions.noNote')}</Text>) },
    { key: 'created', header: t('versions.created'), cell: ({ created_at }) => <DateTime time={created_at} /> },
    { key: 'hash', header: t('versions.hash'), cell: ({ content_hash }) => <Hash value={content_hash} /> },
    { key: 'actions', header: t('versions.actions'), align: 'right', width: '1px', cell: ({ number }) => <Actions target={target} number={number} onActivate={() => onActivate(number)} /> },
  ];
}

function Numbered({ number, active }: { number: number; active: boolean }) {
  const { t } = useTranslation('agents');
  return (
    <Group component="span" gap="xs" wrap="nowrap">
      {t('version', { number })}
      {active && <ActiveMark />}
    </Group>
  );
}

/** Marks the version that runs where none is named. */
export function ActiveMark() {
  const { t } = useTranslation('agents');
  return (
    <Badge color="gold" flex="none" leftSection={<IconCircleCheck size={14} aria-hidden />}>
      {t('versions.active')}
    </Badge>
  );
}

function Hash({ value }: { value: string }) {
  const { t } = useTranslation('agents');
  return (
    <Tooltip label={t('versions.hashHelp')}>
      <span className={classes.hash}>{value.slice(0, HASH_SHOWN)}</span>
    </Tooltip>
  );
}

function Actions({ target, number, onActivate }: { target: Target; number: number; onActivate: () => void }) {
  const { t } = useTranslation('agents');
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('versions.actionsOf', { number })}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {number !== target.active && (
          <RoleGate role="editor">
            {(gate) => (
              <Menu.Item leftSection={<IconCircleCheck size={16} aria-hidden />} onClick={onActivate} {...gate}>
                {t('versions.activate')}
              </Menu.Item>
            )}
          </RoleGate>
        )}
        <RoleGate role="editor">
          {(gate) => (
            <Menu.Item component={Link} to={newVersionAddress(target.id, number)} leftSection={<IconPencil size={16} aria-hidden />} {...gate}>
              {t('versions.editFrom')}
            </Menu.Item>
          )}
        </RoleGate>
      </Menu.Dropdown>
    </Menu>
  );
}
