import { Button, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { History } from '~/screens/agents/runner/History';
import { InvokeForm } from '~/screens/agents/runner/InvokeForm';
import { LiveSpans } from '~/screens/agents/runner/LiveSpans';
import { type Runner as RunnerState, useRunner } from '~/screens/agents/runner/useRunner';
import { isRemote, type Target, useThisTarget, useVersion } from '~/screens/agents/targets';
import type { Attachment } from '~/screens/attachments/files';
import { CancelExecution } from '~/screens/executions/CancelExecution';
import { type Execution, isOver, useExecution } from '~/screens/executions/executions';
import { OutcomeView } from '~/screens/executions/OutcomeView';
import { SaveAsCase } from '~/screens/executions/SaveAsCase';
import { WorkflowPart } from '~/screens/executions/WorkflowPart';
import { LiveWorkflow } from '~/screens/workflows/run/WorkflowRun';
import { EmptyState } from '~/ui/EmptyState';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useListParams } from '~/ui/listParams';
import { RoleGate } from '~/ui/RoleGate';
import type { Json } from '~/ui/schema-form/schema';
import { NOTHING_TYPED, typedOf } from '~/ui/typedValue';

import classes from './Runner.module.css';

/** Tries a target by hand: an input, each step as it ends, the answer, and the way to make a case of it. */
export default function Runner() {
  const { t } = useTranslation('remote');
  const target = useThisTarget().value;
  if (!isRemote(target.kind)) return <Tries target={target} />;
  return (
    <Paper>
      <EmptyState title={t('noRunner')} text={t('noEvaluation')} />
    </Paper>
  );
}

function Tries({ target }: { target: Target }) {
  const { t } = useTranslation('agents');
  const runner = useRunner(target.id);
  const [input, setInput] = useState(NOTHING_TYPED);
  const [files, setFiles] = useState<Attachment[]>([]);
  const [chosen, setChosen] = useState<string | null>(null);
  const again = (execution: Execution) => {
    setInput(typedOf(execution.input as Json));
    setFiles(execution.attachments);
  };
  const shown = runner.history.find(({ id }) => id === chosen) ?? runner.history[0];
  return (
    <div className={classes.columns}>
      <Stack gap="lg" miw={0}>
        <InvokeForm
          target={target}
          input={input}
          onInput={setInput}
          files={files}
          onFiles={setFiles}
          runner={runner}
          onRun={(body) => {
            setChosen(null);
            runner.run(body);
          }}
        />
        <Skipped target={target} />
        {runner.running && <Live target={target} runner={runner} />}
        {runner.error && <ErrorPanel error={runner.error} />}
        {!runner.running && runner.stopped && <Text role="status">{t('runner.stopped')}</Text>}
        {!runner.running && shown && <Outcome key={shown.id} execution={shown} />}
        {!runner.running && !shown && !runner.error && !runner.stopped && (
          <Paper>
            <EmptyState title={t('runner.emptyTitle')} text={t('runner.emptyText')} />
          </Paper>
        )}
      </Stack>
      <History executions={runner.history} shown={shown?.id ?? null} onShow={setChosen} onAgain={again} />
    </div>
  );
}

/** Tells that the MCP servers of the chosen version are left out of evaluations; an agent without any shows nothing. */
function Skipped({ target }: { target: Target }) {
  const { t } = useTranslation('agents');
  const chosen = Number(useListParams().filter('version')) || target.active;
  const version = useVersion(target.id, chosen);
  const servers: unknown = version.data?.definition.mcp_servers;
  const names = (Array.isArray(servers) ? servers : []).map(({ name }: { name?: unknown }) => String(name));
  if (names.length === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {t('runner.skipped', { names: names.join(', ') })}
    </Text>
  );
}

/** What goes on: the steps of a workflow as a picture, else each step in a list as it ends. */
function Live({ target, runner }: { target: Target; runner: RunnerState }) {
  const chosen = Number(useListParams().filter('version')) || target.active;
  const version = useVersion(target.id, target.kind === 'workflow' ? chosen : null);
  return (
    <LiveSpans since={runner.since} spans={runner.spans}>
      {version.data && <LiveWorkflow definition={version.data.definition} spans={runner.spans} />}
    </LiveSpans>
  );
}

/** What came of a run; one that waits for people is followed until it is over. */
function Outcome({ execution: known }: { execution: Execution }) {
  const { t } = useTranslation('executions');
  const execution = useExecution(known.id, known).data ?? known;
  const [saving, setSaving] = useState(false);
  const actions = (
    <>
      <Button component={Link} to={`/executions/${execution.id}`} variant="subtle" size="xs">
        {t('open')}
      </Button>
      {isOver(execution) ? (
        <RoleGate role="editor">
          {(gate) => (
            <Button variant="default" size="xs" onClick={() => setSaving(true)} {...gate}>
              {t('save.button')}
            </Button>
          )}
        </RoleGate>
      ) : (
        <CancelExecution execution={execution} size="xs" />
      )}
    </>
  );
  return (
    <div>
      <WorkflowPart execution={execution} />
      <OutcomeView execution={execution} actions={actions} />
      {saving && <SaveAsCase execution={execution} onClose={() => setSaving(false)} />}
    </div>
  );
}
