import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { type TargetRecord, useKindName, useTargets } from '~/screens/agents/targets';
import { type Column, DataTable } from '~/ui/DataTable';
import { useFormat } from '~/ui/format';
import { useListParams } from '~/ui/listParams';
import { DateTime } from '~/ui/Values';

interface Props {
  label: string;
  /** Only targets of this kind; null for all, unless the address names one. */
  kind: string | null;
  empty: { title: string; text: ReactNode; action?: ReactNode };
  /** Further fields beside the search. */
  filters?: ReactNode;
}

/** Targets by name, each leading to its page. */
export function TargetTable({ label, kind, empty, filters }: Props) {
  const params = useListParams();
  const wanted = kind ?? params.filter('kind');
  return (
    <DataTable
      label={label}
      query={useTargets({ q: params.q, kind: wanted, page: params.page, size: params.size })}
      params={params}
      columns={useColumns(kind === null)}
      rowKey={({ id }) => id}
      rowLink={({ id }) => `/agents/${id}`}
      filters={filters}
      filtered={kind === null && wanted !== null}
      empty={empty}
    />
  );
}

/** `mixed`: whether there are targets of several kinds. */
function useColumns(mixed: boolean): Column<TargetRecord>[] {
  const { t } = useTranslation('agents');
  const format = useFormat();
  const nameOf = useKindName();
  return [
    {
      key: 'name',
      header: t('column.name'),
      width: '38%',
      cell: ({ name }) => name,
      detail: ({ description }) => description && <Text size="sm" c="dimmed" lineClamp={2}>{description}</Text>,
    },
    ...(mixed ? [{ key: 'kind', header: t('column.kind'), cell: ({ kind }: TargetRecord) => nameOf(kind) }] : []),
    { key: 'active', header: t('column.active'), align: 'right', cell: ({ active }) => (active === null ? t('noActive') : t('version', { number: active })) },
    { key: 'versions', header: t('column.versions'), align: 'right', cell: ({ versions }) => format.number(versions) },
    { key: 'changed', header: t('column.changed'), cell: ({ updated_at }) => <DateTime time={updated_at} /> },
  ];
}
