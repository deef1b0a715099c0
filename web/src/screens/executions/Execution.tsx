import { Button, Group, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';

import { type Execution as ExecutionValue, useExecution } from '~/screens/executions/executions';
import { OutcomeBadge } from '~/screens/executions/OutcomeBadge';
import { OutcomeView } from '~/screens/executions/OutcomeView';
import { Part } from '~/screens/executions/Part';
import { SaveAsCase } from '~/screens/executions/SaveAsCase';
import { resultAddress } from '~/screens/runs/resultAddress';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { JsonView } from '~/ui/JsonView';
import { PageHeader } from '~/ui/PageHeader';
import { RoleGate } from '~/ui/RoleGate';
import { DateTime } from '~/ui/Values';

/** One execution: what was put, what came of it, and every step. */
export default function Execution() {
  const { t } = useTranslation(['executions', 'agents']);
  const { id = '' } = useParams();
  const execution = useExecution(id);
  if (execution.isError) {
    return (
      <>
        <PageHeader title={t('title')} crumbs={[{ label: t('title'), to: '/executions' }]} />
        <ErrorPanel error={execution.error} onRetry={() => void execution.refetch()} />
      </>
    );
  }
  if (execution.isPending) return <Skeleton height={360} />;
  return <Page execution={execution.data} />;
}

function Page({ execution }: { execution: ExecutionValue }) {
  const { t } = useTranslation(['executions', 'agents']);
  const { target_id, target_name, version, source, outcome, run_id, case_key } = execution;
  const [saving, setSaving] = useState(false);
  const title = t('one', { target: target_name, version });
  const crumbs = [
    { label: t('agents:title'), to: '/agents' },
    { label: target_name, to: `/agents/${target_id}` },
    { label: t('title'), to: `/agents/${target_id}/executions` },
  ];
  const description = (
    <Group gap="4px 12px">
      <DateTime time={execution.created_at} />
      <span>{t(`source.${source}`)}</span>
    </Group>
  );
  const actions = (
    <>
      {run_id && case_key !== null && (
        <Button component={Link} to={resultAddress(run_id, { case_id: case_key, trial: 0 })} variant="default">
          {t('inRun')}
        </Button>
      )}
      <RoleGate role="editor">{(gate) => <Button onClick={() => setSaving(true)} {...gate}>{t('save.addTo')}</Button>}</RoleGate>
    </>
  );
  return (
    <>
      <PageHeader title={title} crumbs={crumbs} aside={<OutcomeBadge failure={outcome.failure?.type ?? null} />} description={description} actions={actions} />
      <Part title={t('input')}>
        <JsonView value={execution.input} label={t('input')} />
      </Part>
      <OutcomeView execution={execution} />
      {saving && <SaveAsCase execution={execution} onClose={() => setSaving(false)} />}
    </>
  );
}
