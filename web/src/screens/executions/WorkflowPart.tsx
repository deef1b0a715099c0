import { Paper, Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { useVersion } from '~/screens/agents/targets';
import type { Execution } from '~/screens/executions/executions';
import { Part } from '~/screens/executions/Part';
import { HumanSteps } from '~/screens/workflows/human/HumanSteps';
import { WorkflowRun } from '~/screens/workflows/run/WorkflowRun';

/** What is special about the execution of a workflow: what people were asked, and where its steps stand. */
export function WorkflowPart({ execution }: { execution: Execution }) {
  const { t } = useTranslation('workflows');
  const isWorkflow = execution.target_kind === 'workflow';
  const version = useVersion(execution.target_id, isWorkflow ? execution.version : null);
  return (
    <>
      <HumanSteps executionId={execution.id} steps={execution.human_steps} waits={execution.status === 'waiting' || execution.status === 'running'} />
      {isWorkflow && version.isPending && <Skeleton height={240} mb={28} />}
      {version.data && (
        <Part title={t('run.picture')}>
          <Paper p="md">
            <WorkflowRun definition={version.data.definition} execution={execution} />
          </Paper>
        </Part>
      )}
    </>
  );
}
