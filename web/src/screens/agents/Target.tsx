import { Badge, Skeleton, Spoiler } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Outlet, useParams } from 'react-router';

import type { Tagged } from '~/api/tagged';
import { TargetActions } from '~/screens/agents/TargetActions';
import { isRemote, type Target as TargetValue, useKindName, useTarget } from '~/screens/agents/targets';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { LinkTabs } from '~/ui/LinkTabs';
import { PageHeader } from '~/ui/PageHeader';

/** One target: its head, and the views of it, which are screens of their own. */
export default function Target() {
  const { t } = useTranslation(['agents', 'workflows']);
  const { id = '' } = useParams();
  const target = useTarget(id);
  const nameOf = useKindName();
  const crumbs = [{ label: t('title'), to: '/agents' }];
  if (target.error && !target.data) {
    return (
      <>
        <PageHeader title={t('title')} crumbs={crumbs} />
        <ErrorPanel error={target.error} onRetry={() => void target.refetch()} />
      </>
    );
  }
  if (!target.data) return <Skeleton height={360} />;
  const { value } = target.data;
  const place = value.kind === 'workflow' ? [{ label: t('workflows:title'), to: '/workflows' }] : crumbs;
  const base = `/agents/${value.id}`;
  return (
    <>
      <PageHeader
        title={value.name}
        crumbs={place}
        aside={<Badge color="gray">{nameOf(value.kind)}</Badge>}
        description={value.description && <Description text={value.description} />}
        actions={<TargetActions target={target.data} />}
      />
      <LinkTabs
        label={t('tab.label')}
        tabs={[
          { to: base, end: true, label: t('tab.overview') },
          ...(isRemote(value.kind) ? [] : [{ to: `${base}/runner`, label: t('tab.runner') }]),
          { to: `${base}/executions`, label: t('tab.executions') },
          { to: `${base}/evaluations`, label: t('tab.evaluations') },
        ]}
      />
      <Outlet context={target.data satisfies Tagged<TargetValue>} />
    </>
  );
}

/** A long one is cut until somebody wants it whole. */
function Description({ text }: { text: string }) {
  const { t } = useTranslation('agents');
  return (
    <Spoiler maxHeight={75} showLabel={t('descriptionMore')} hideLabel={t('descriptionLess')}>
      {text}
    </Spoiler>
  );
}
