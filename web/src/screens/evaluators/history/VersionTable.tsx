import { ActionIcon, Badge, Group, Menu, Text } from '@mantine/core';
import { IconArrowBackUp, IconDots, IconGitCompare } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import type { EvaluatorVersion } from '~/screens/evaluators/history/versions';
import { useKindName } from '~/screens/evaluators/kinds';
import { kindOf } from '~/screens/evaluators/specs';
import { type Column, DataTable, type Paged } from '~/ui/DataTable';
import type { ListParams } from '~/ui/listParams';
import { RoleGate } from '~/ui/RoleGate';
import { DateTime } from '~/ui/Values';

interface Props {
  query: UseQueryResult<Paged<EvaluatorVersion>>;
  params: ListParams;
  /** The number of the present version; null where the evaluator is gone. */
  present: number | null;
  onCompare: (number: number) => void;
  onRestore: (number: number) => void;
}

/** The versions of an evaluator, newest first. */
export function VersionTable({ query, params, present, onCompare, onRestore }: Props) {
  const { t } = useTranslation('evaluators');
  const nameOf = useKindName();
  const columns: Column<EvaluatorVersion>[] = [
    { key: 'number', header: t('history.number'), width: '1px', cell: ({ number }) => <Numbered number={number} present={number === present} /> },
    { key: 'note', header: t('history.note'), width: '36%', cell: (version) => <Note version={version} /> },
    { key: 'kind', header: t('column.kind'), cell: ({ spec }) => nameOf(kindOf(spec)) },
    { key: 'by', header: t('history.by'), cell: ({ created_by }) => created_by || <Text span inherit c="dimmed">{t('history.unknown')}</Text> },
    { key: 'at', header: t('history.at'), cell: ({ created_at }) => <DateTime time={created_at} /> },
    {
      key: 'actions',
      header: t('column.actions'),
      align: 'right',
      width: '1px',
      cell: ({ number }) => <Actions number={number} onCompare={onCompare} onRestore={present === null || number === present ? null : onRestore} />,
    },
  ];
  return (
    <DataTable
      label={t('history.title')}
      query={query}
      params={params}
      columns={columns}
      rowKey={({ number }) => String(number)}
      searchable={false}
      empty={{ title: t('history.emptyTitle'), text: t('history.emptyText') }}
    />
  );
}

function Numbered({ number, present }: { number: number; present: boolean }) {
  const { t } = useTranslation('evaluators');
  return (
    <Group component="span" gap="xs" wrap="nowrap" miw="max-content">
      <span style={{ whiteSpace: 'nowrap' }}>{t('version', { number })}</span>
      {present && (
        <Badge color="gold" flex="none">
          {t('history.present')}
        </Badge>
      )}
    </Group>
  );
}

/** What is new in it: in the words of who made it, or that it brings an earlier one back. */
function Note({ version: { note, restores, number } }: { version: EvaluatorVersion }) {
  const { t } = useTranslation('evaluators');
  if (note) return <Text span inherit lineClamp={3}>{note}</Text>;
  const text = restores !== null ? t('history.restores', { number: restores }) : number === 1 ? t('history.first') : t('history.noNote');
  return (
    <Text span inherit c="dimmed">
      {text}
    </Text>
  );
}

interface ActionProps {
  number: number;
  onCompare: (number: number) => void;
  onRestore: ((number: number) => void) | null;
}

function Actions({ number, onCompare, onRestore }: ActionProps) {
  const { t } = useTranslation('evaluators');
  if (number === 1 && !onRestore) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('history.actionsOf', { number })}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {number > 1 && (
          <Menu.Item leftSection={<IconGitCompare size={16} aria-hidden />} onClick={() => onCompare(number)}>
            {t('history.changes')}
          </Menu.Item>
        )}
        {onRestore && (
          <RoleGate role="editor">
            {(gate) => (
              <Menu.Item leftSection={<IconArrowBackUp size={16} aria-hidden />} onClick={() => onRestore(number)} {...gate}>
                {t('history.restore')}
              </Menu.Item>
            )}
          </RoleGate>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
