import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Outlet, useParams } from 'react-router';

import type { Tagged } from '~/api/tagged';
import { type Dataset as DatasetValue, useCaseCount, useDataset } from '~/screens/datasets/datasets';
import { DatasetActions } from '~/screens/datasets/DatasetActions';
import { useTarget } from '~/screens/datasets/TargetSelect';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useFormat } from '~/ui/format';
import { LinkTabs } from '~/ui/LinkTabs';
import { PageHeader } from '~/ui/PageHeader';
import { OwnTargetOnly } from '~/ui/RoleGate';

/** One dataset: its head, and the views of it, which are screens of their own. */
export default function Dataset() {
  const { t } = useTranslation('datasets');
  const { id = '' } = useParams();
  const dataset = useDataset(id);
  const crumbs = [{ label: t('title'), to: '/datasets' }];
  if (dataset.error && !dataset.data) {
    return (
      <>
        <PageHeader title={t('title')} crumbs={crumbs} />
        <ErrorPanel error={dataset.error} onRetry={() => void dataset.refetch()} />
      </>
    );
  }
  if (!dataset.data) return <Skeleton height={360} />;
  const { value } = dataset.data;
  return (
    <OwnTargetOnly targetId={value.target_id}>
      <PageHeader title={value.name} crumbs={crumbs} description={<About dataset={value} />} actions={<DatasetActions dataset={dataset.data} />} />
      <Views dataset={value} />
      <Outlet context={dataset.data satisfies Tagged<DatasetValue>} />
    </OwnTargetOnly>
  );
}

/** What it is, and what it is for. */
function About({ dataset }: { dataset: DatasetValue }) {
  const { t } = useTranslation('datasets');
  const target = useTarget(dataset.target_id);
  const madeFor = target.data && t('madeFor', { target: target.data.name });
  return [dataset.description, madeFor].filter(Boolean).map((text) => <div key={text}>{text}</div>);
}

function Views({ dataset: { id, bindings, simulations } }: { dataset: DatasetValue }) {
  const { t } = useTranslation('datasets');
  const format = useFormat();
  const cases = useCaseCount(id);
  const base = `/datasets/${id}`;
  return (
    <LinkTabs
      label={t('tab.label')}
      tabs={[
        { to: base, end: true, label: t('tab.cases'), count: cases.data === undefined ? undefined : format.number(cases.data) },
        { to: `${base}/evaluators`, label: t('tab.evaluators'), count: format.number(bindings.length) },
        { to: `${base}/simulations`, label: t('tab.simulations'), count: format.number(Object.keys(simulations).length) },
        { to: `${base}/runs`, label: t('tab.runs') },
        { to: `${base}/import`, label: t('tab.import') },
        { to: `${base}/settings`, label: t('tab.settings') },
      ]}
    />
  );
}
