import { Button, Select, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { type TargetRecord, useKindName, useTargetKinds, useTargets } from '~/screens/agents/targets';
import { type Column, DataTable } from '~/ui/DataTable';
import { useFormat } from '~/ui/format';
import { type ListParams, useListParams } from '~/ui/listParams';
import { PageHeader } from '~/ui/PageHeader';
import { RoleGate } from '~/ui/RoleGate';
import { DateTime } from '~/ui/Values';

/** Everything that can be evaluated: agents first of all, and the other kinds of targets. */
export default function Targets() {
  const { t } = useTranslation('agents');
  const params = useListParams();
  const kind = params.filter('kind');
  const query = useTargets({ q: params.q, kind, page: params.page, size: params.size });
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('lead')}
        actions={
          <>
            <NewTargetButton />
            <NewAgentButton />
          </>
        }
      />
      <DataTable
        label={t('title')}
        query={query}
        params={params}
        columns={useColumns()}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/agents/${id}`}
        filters={<KindFilter params={params} />}
        filtered={kind !== null}
        empty={{ title: t('empty.title'), text: t('empty.text'), action: <NewAgentButton /> }}
      />
    </>
  );
}

function useColumns(): Column<TargetRecord>[] {
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
    { key: 'kind', header: t('column.kind'), cell: ({ kind }) => nameOf(kind) },
    { key: 'active', header: t('column.active'), align: 'right', cell: ({ active }) => (active === null ? t('noActive') : t('version', { number: active })) },
    { key: 'versions', header: t('column.versions'), align: 'right', cell: ({ versions }) => format.number(versions) },
    { key: 'changed', header: t('column.changed'), cell: ({ updated_at }) => <DateTime time={updated_at} /> },
  ];
}

function KindFilter({ params }: { params: ListParams }) {
  const { t } = useTranslation(['agents', 'common']);
  const nameOf = useKindName();
  const kinds = useTargetKinds();
  return (
    <Select
      aria-label={t('filter.kind')}
      placeholder={t('filter.anyKind')}
      data={(kinds.data ?? []).map(({ kind }) => ({ value: kind, label: nameOf(kind) }))}
      value={params.filter('kind')}
      onChange={(kind) => params.setFilter('kind', kind)}
      clearable
      clearButtonProps={{ 'aria-label': t('common:clear') }}
      w={{ base: '100%', sm: 240 }}
    />
  );
}

function NewAgentButton() {
  const { t } = useTranslation('agents');
  return (
    <RoleGate role="editor">
      {(gate) => (
        <Button component={Link} to="/agents/new?kind=agent" leftSection={<IconPlus size={16} aria-hidden />} {...gate}>
          {t('new')}
        </Button>
      )}
    </RoleGate>
  );
}

function NewTargetButton() {
  const { t } = useTranslation('agents');
  return (
    <RoleGate role="editor">
      {(gate) => (
        <Button component={Link} to="/agents/new" variant="default" {...gate}>
          {t('newTarget')}
        </Button>
      )}
    </RoleGate>
  );
}
