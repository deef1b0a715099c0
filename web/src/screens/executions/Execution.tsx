import { Box, Button, Group, Skeleton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';

import { isRemote } from '~/screens/agents/targets';
import { ShownFiles } from '~/screens/attachments/ShownFiles';
import { CancelExecution } from '~/screens/executions/CancelExecution';
import { type Execution as ExecutionValue, isOver, useExecution } from '~/screens/executions/executions';
import { OutcomeBadge } from '~/screens/executions/OutcomeBadge';
import { OutcomeView } from '~/screens/executions/OutcomeView';
import { Part } from '~/screens/executions/Part';
import { SaveAsCase } from '~/screens/executions/SaveAsCase';
import { WorkflowPart } from '~/screens/executions/WorkflowPart';
import { ExecutionScores } from '~/screens/online/ExecutionScores';
import { resultAddress } from '~/screens/runs/resultAddress';
import { CopyButton } from '~/ui/CopyButton';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { JsonView } from '~/ui/JsonView';
import { PageHeader } from '~/ui/PageHeader';
import { RoleGate } from '~/ui/RoleGate';
import { shortText } from '~/ui/shortText';
import { DateTime } from '~/ui/Values';

const MOST_NAME = 200;

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

/** Of an agent that runs elsewhere: which service it was, and the trace by which others know it. */
function Observed({ execution: { target_kind, outcome } }: { execution: ExecutionValue }) {
  const { t } = useTranslation('executions');
  const { trace } = outcome;
  if (!isRemote(target_kind) || !trace) return null;
  const service = trace.spans.find(({ attributes }) => typeof attributes['service.name'] === 'string')?.attributes['service.name'];
  return (
    <>
      {service !== undefined && <span style={{ overflowWrap: 'anywhere' }}>{t('service', { name: shortText(String(service), MOST_NAME) })}</span>}
      <Group gap={4} wrap="nowrap">
        <span style={{ overflowWrap: 'anywhere' }}>{t('traceId', { id: trace.trace_id })}</span>
        <CopyButton value={trace.trace_id} />
      </Group>
    </>
  );
}

function Page({ execution }: { execution: ExecutionValue }) {
  const { t } = useTranslation(['executions', 'agents', 'workflows']);
  const { target_id, target_name, target_kind, version, source, status, outcome, run_id, case_key } = execution;
  const [saving, setSaving] = useState(false);
  const title = t('one', { target: target_name, version });
  const crumbs = [
    target_kind === 'workflow' ? { label: t('workflows:title'), to: '/workflows' } : { label: t('agents:title'), to: '/agents' },
    { label: target_name, to: `/agents/${target_id}` },
    { label: t('title'), to: `/agents/${target_id}/executions` },
  ];
  const description = (
    <Group gap="4px 12px">
      <DateTime time={execution.created_at} />
      <span>{t(`source.${source}`)}</span>
      <Observed execution={execution} />
    </Group>
  );
  const actions = (
    <>
      {run_id && case_key !== null && (
        <Button component={Link} to={resultAddress(run_id, { case_id: case_key, trial: 0 })} variant="default">
          {t('inRun')}
        </Button>
      )}
      {isOver(execution) ? <RoleGate role="editor">{(gate) => <Button onClick={() => setSaving(true)} {...gate}>{t('save.addTo')}</Button>}</RoleGate> : <CancelExecution execution={execution} />}
    </>
  );
  return (
    <>
      <PageHeader title={title} crumbs={crumbs} aside={<OutcomeBadge status={status} failure={outcome.failure?.type ?? null} />} description={description} actions={actions} />
      <Part title={t('input')}>
        <JsonView value={execution.input} label={t('input')} />
        {execution.attachments.length > 0 && (
          <Box mt="sm">
            <ShownFiles files={execution.attachments} />
          </Box>
        )}
      </Part>
      <WorkflowPart execution={execution} />
      <ExecutionScores executionId={execution.id} />
      <OutcomeView execution={execution} />
      {saving && <SaveAsCase execution={execution} onClose={() => setSaving(false)} />}
    </>
  );
}
