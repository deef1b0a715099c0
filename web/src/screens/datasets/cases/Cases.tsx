import { Anchor, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { BulkBar } from '~/screens/datasets/cases/BulkBar';
import { CaseDrawer, useCaseAddress } from '~/screens/datasets/cases/CaseDrawer';
import { titleOf } from '~/screens/datasets/cases/caseDraft';
import { CaseFilterFields } from '~/screens/datasets/cases/CaseFilterFields';
import { type CaseFilters, useCases } from '~/screens/datasets/cases/caseQueries';
import { useCaseColumns } from '~/screens/datasets/cases/caseColumns';
import { useThisDataset } from '~/screens/datasets/datasets';
import { DataTable } from '~/ui/DataTable';
import { type ListParams, useListParams } from '~/ui/listParams';
import { RoleGate, useMay } from '~/ui/RoleGate';

const SIZE = 50;

/** The cases of a dataset, in its order, with the form of one beside them. */
export default function Cases() {
  const { t } = useTranslation('datasets');
  const dataset = useThisDataset().value;
  const params = useListParams(SIZE);
  const filters = filtersOf(params);
  const query = useCases(dataset.id, filters);
  const drawer = useCaseAddress();
  const { may } = useMay('editor');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const items = query.data?.items ?? [];
  // Only what is in view can be meant.
  const visible = new Set(items.filter(({ id }) => chosen.has(id)).map(({ id }) => id));
  const finish = (deleted: boolean) => {
    setChosen(new Set());
    if (deleted && visible.size === items.length && params.page > 1) params.setPage(params.page - 1);
  };
  const add = (
    <RoleGate role="editor">
      {(gate) => (
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={drawer.add} {...gate}>
          {t('case.add')}
        </Button>
      )}
    </RoleGate>
  );
  const fields = <CaseFilterFields params={params} tags={[...new Set(items.flatMap(({ tags }) => tags))].sort()} add={add} />;
  return (
    <>
      <DataTable
        label={t('tab.cases')}
        query={query}
        params={params}
        columns={useCaseColumns(dataset, params)}
        rowKey={({ id }) => id}
        rowLink={({ id }) => drawer.linkTo(id)}
        selection={may ? { chosen: visible, onChange: setChosen, label: titleOf } : undefined}
        filters={fields}
        filtered={filters.status !== undefined || filters.enabled !== undefined || filters.tag !== undefined}
        empty={{ title: t('cases.emptyTitle'), text: <EmptyText id={dataset.id} />, action: add }}
      />
      <BulkBar datasetId={dataset.id} ids={[...visible]} onDone={finish} />
      <CaseDrawer dataset={dataset} />
    </>
  );
}

function EmptyText({ id }: { id: string }) {
  const { t } = useTranslation('datasets');
  return (
    <>
      {t('cases.emptyText')}{' '}
      <Anchor component={Link} to={`/datasets/${id}/import`}>
        {t('cases.emptyImport')}
      </Anchor>{' '}
      <Anchor component={Link} to="/help/cases">
        {t('case.guide')}
      </Anchor>
    </>
  );
}

function filtersOf(params: ListParams): CaseFilters {
  const status = params.filter('status');
  const enabled = params.filter('enabled');
  return {
    q: params.q,
    status: status === 'draft' || status === 'ready' ? status : undefined,
    enabled: enabled === 'true' ? true : enabled === 'false' ? false : undefined,
    tag: params.filter('tag') ?? undefined,
    page: params.page,
    size: params.size,
  };
}
