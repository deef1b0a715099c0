import { Drawer, Group, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { SpanEnded } from '~/screens/agents/runner/invoke';
import type { Execution } from '~/screens/executions/executions';
import { WorkflowGraph } from '~/screens/workflows/graph/WorkflowGraph';
import { flatRuns, type Progress, stepStatuses } from '~/screens/workflows/run/stepStatuses';
import { flatSteps, idOfPath, type Step, stepsOf } from '~/screens/workflows/steps';
import { StepContent, StepList } from '~/ui/steps/StepList';
import { stepRuns, WORKFLOW_STEP } from '~/ui/steps/stepRuns';
import { StepState, type StepStatus } from '~/ui/steps/StepState';

interface LiveProps {
  definition: Record<string, unknown>;
  /** The spans that have ended so far. */
  spans: readonly SpanEnded[];
}

/** A workflow while it is run for the first time: the picture of its steps, each with where it stands. */
export function LiveWorkflow({ definition, spans }: LiveProps) {
  const steps = useMemo(() => stepsOf(definition), [definition]);
  const states = useMemo(() => stepStatuses(steps, liveProgress(steps, spans)), [steps, spans]);
  return <WorkflowGraph steps={steps} states={states} />;
}

/** A person is never faster than the first run, so a step that is theirs has ended with its question. */
function liveProgress(steps: readonly Step[], spans: readonly SpanEnded[]): Progress {
  const human = new Set(flatSteps(steps).filter(({ kind }) => kind === 'human').map(({ id }) => id));
  const ended = new Map(spans.filter(({ operation }) => operation === WORKFLOW_STEP).map((span) => [span.name.replace(/^step /, ''), statusOf(span)]));
  const asked = [...ended].filter(([path, status]) => status === 'asked' || (status === 'done' && human.has(idOfPath(path)))).map(([path]) => path);
  return { ended, asked: new Set(asked), going: true };
}

function statusOf({ error, skipped, waiting }: SpanEnded): StepStatus {
  if (error !== null) return 'failed';
  return skipped ? 'skipped' : waiting ? 'asked' : 'done';
}

/** An execution of a workflow: the picture of its steps, each with where it stands; one that is chosen tells all of it. */
export function WorkflowRun({ definition, execution }: { definition: Record<string, unknown>; execution: Execution }) {
  const { t } = useTranslation('workflows');
  const steps = useMemo(() => stepsOf(definition), [definition]);
  const runs = useMemo(() => stepRuns(execution.outcome.trace?.spans ?? []), [execution]);
  const states = useMemo(() => stepStatuses(steps, progressOf(execution)), [steps, execution]);
  const [chosen, setChosen] = useState<string | null>(null);
  const status = chosen === null ? undefined : states.get(chosen);
  const own = flatRuns(runs).filter(({ path }) => idOfPath(path) === chosen);
  const title = (
    <Group gap="sm">
      <Text fw={600}>{chosen?.split('.').at(-1)}</Text>
      {status && <StepState status={status} />}
    </Group>
  );
  return (
    <>
      <WorkflowGraph steps={steps} states={states} selected={chosen} onSelect={setChosen} hint={t('run.choose')} />
      <Drawer opened={chosen !== null} onClose={() => setChosen(null)} position="right" size="lg" title={title} closeButtonProps={{ 'aria-label': t('run.close') }}>
        {own.length === 0 && <Text c="dimmed">{t(status === 'running' ? 'run.goesOn' : 'run.nothingYet')}</Text>}
        {own.length === 1 && own[0] && <StepContent run={own[0]} />}
        {own.length > 1 && <StepList runs={own.map((run) => ({ ...run, name: run.path }))} />}
      </Drawer>
    </>
  );
}

function progressOf({ status, outcome, human_steps }: Execution): Progress {
  const runs = flatRuns(stepRuns(outcome.trace?.spans ?? []));
  const waits = status === 'running' || status === 'waiting';
  return {
    ended: new Map(runs.map((run) => [run.path, run.status])),
    asked: new Set(waits ? human_steps.filter(({ answered_at }) => answered_at === null).map(({ step }) => step) : []),
    going: status === 'running',
  };
}
