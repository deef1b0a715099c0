import { ActionIcon, Badge, Checkbox, Group, Menu, Text, Tooltip } from '@mantine/core';
import { IconCircleCheck, IconDots, IconPencil } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { ActivateDialog } from '~/screens/agents/ActivateDialog';
import { newVersionAddress, versionAddress } from '~/screens/agents/addresses';
import { type Target, useVersions, type Version } from '~/screens/agents/targets';
import { ChosenVersions } from '~/screens/agents/versions/ChosenVersions';
import { type Override, overridesQuery } from '~/screens/gate/gateQueries';
import { OverrideMark } from '~/screens/gate/OverrideMark';
import { type Column, DataTable } from '~/ui/DataTable';
import { useListParams } from '~/ui/listParams';
import { RoleGate } from '~/ui/RoleGate';
import { DateTime } from '~/ui/Values';

import classes from './Overview.module.css';

const HASH_SHOWN = 8;
const PAGE = 10;
const MOST_CHOSEN = 2;

/** The versions of a target, newest first. Any two can be chosen, to see what changed. */
export function VersionList({ target }: { target: Target }) {
  const { t } = useTranslation('agents');
  const params = useListParams(PAGE);
  const [activating, setActivating] = useState<number | null>(null);
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const choose = (number: number, on: boolean) => setChosen((before) => [...before.filter((each) => each !== number), ...(on ? [number] : [])].slice(-MOST_CHOSEN));
  return (
    <>
      <DataTable
        label={t('overview.versions')}
        query={useVersions(target.id, params.page, params.size)}
        params={params}
        columns={useColumns(target, { chosen, choose, onActivate: setActivating })}
        rowKey={({ id }) => id}
        rowLink={({ number }) => versionAddress(target.id, number)}
        searchable={false}
        empty={{ title: t('versions.emptyTitle'), text: t('versions.emptyText') }}
      />
      <ChosenVersions targetId={target.id} chosen={chosen} onClear={() => setChosen([])} />
      <ActivateDialog target={target} number={activating} onClose={() => setActivating(null)} />
    </>
  );
}

interface Choices {
  chosen: readonly number[];
  choose: (number: number, on: boolean) => void;
  onActivate: (number: number) => void;
}

function useColumns(target: Target, { chosen, choose, onActivate }: Choices): Column<Version>[] {
  const { t } = useTranslation('agents');
  const overrides = useQuery(overridesQuery(target.id)).data?.items ?? [];
  const compare: Column<Version> = { key: 'compare', header: t('diff.column'), align: 'right', width: '1px', cell: ({ number }) => <Choose number={number} checked={chosen.includes(number)} onChange={(on) => choose(number, on)} /> };
  return [
    { key: 'number', header: t('versions.number'), width: '190px', cell: ({ number }) => <Numbered number={number} active={number === target.active} />, detail: ({ number }) => <Overridden override={overrides.find(({ version }) => version === number)} /> },
    { key: 'note', header: t('versions.note'), width: '45%', cell: ({ note }) => (note ? <span>{note}</span> : <Text component="span" size="sm" c="dimmed">{t('versions.noNote')}</Text>) },
    { key: 'created', header: t('versions.created'), cell: ({ created_at }) => <DateTime time={created_at} /> },
    { key: 'hash', header: t('versions.hash'), cell: ({ content_hash }) => <Hash value={content_hash} /> },
    ...(target.versions > 1 ? [compare] : []),
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

/** That an owner let it pass against the gate; the latest time. */
function Overridden({ override }: { override: Override | undefined }) {
  return override ? <OverrideMark override={override} /> : null;
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

function Choose({ number, checked, onChange }: { number: number; checked: boolean; onChange: (on: boolean) => void }) {
  const { t } = useTranslation('agents');
  return (
    <Checkbox
      display="inline-block"
      // Above the box, which stands above the row's link.
      styles={{ icon: { zIndex: 2 } }}
      aria-label={t('diff.choose', { number })}
      checked={checked}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
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
