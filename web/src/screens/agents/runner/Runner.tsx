import { Button, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { History } from '~/screens/agents/runner/History';
import { InvokeForm } from '~/screens/agents/runner/InvokeForm';
import { LiveSpans } from '~/screens/agents/runner/LiveSpans';
import { useRunner } from '~/screens/agents/runner/useRunner';
import { type Target, useThisTarget, useVersion } from '~/screens/agents/targets';
import type { Execution } from '~/screens/executions/executions';
import { OutcomeView } from '~/screens/executions/OutcomeView';
import { SaveAsCase } from '~/screens/executions/SaveAsCase';
import { EmptyState } from '~/ui/EmptyState';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useListParams } from '~/ui/listParams';
import { RoleGate } from '~/ui/RoleGate';
import type { Json } from '~/ui/schema-form/schema';
import { NOTHING_TYPED, typedOf } from '~/ui/typedValue';

import classes from './Runner.module.css';

/** Tries a target by hand: an input, each step as it ends, the answer, and the way to make a case of it. */
export default function Runner() {
  const { t } = useTranslation('agents');
  const target = useThisTarget().value;
  const runner = useRunner(target.id);
  const [input, setInput] = useState(NOTHING_TYPED);
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = runner.history.find(({ id }) => id === chosen) ?? runner.history[0];
  return (
    <div className={classes.columns}>
      <Stack gap="lg" miw={0}>
        <InvokeForm
          target={target}
          input={input}
          onInput={setInput}
          runner={runner}
          onRun={(body) => {
            setChosen(null);
            runner.run(body);
          }}
        />
        <Skipped target={target} />
        {runner.running && <LiveSpans since={runner.since} spans={runner.spans} />}
        {runner.error && <ErrorPanel error={runner.error} />}
        {!runner.running && runner.stopped && <Text role="status">{t('runner.stopped')}</Text>}
        {!runner.running && shown && <Outcome key={shown.id} execution={shown} />}
        {!runner.running && !shown && !runner.error && !runner.stopped && (
          <Paper>
            <EmptyState title={t('runner.emptyTitle')} text={t('runner.emptyText')} />
          </Paper>
        )}
      </Stack>
      <History executions={runner.history} shown={shown?.id ?? null} onShow={setChosen} onAgain={(execution) => setInput(typedOf(execution.input as Json))} />
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

function Outcome({ execution }: { execution: Execution }) {
  const { t } = useTranslation('executions');
  const [saving, setSaving] = useState(false);
  const actions = (
    <>
      <Button component={Link} to={`/executions/${execution.id}`} variant="subtle" size="xs">
        {t('open')}
      </Button>
      <RoleGate role="editor">
        {(gate) => (
          <Button variant="default" size="xs" onClick={() => setSaving(true)} {...gate}>
            {t('save.button')}
          </Button>
        )}
      </RoleGate>
    </>
  );
  return (
    <div>
      <OutcomeView execution={execution} actions={actions} />
      {saving && <SaveAsCase execution={execution} onClose={() => setSaving(false)} />}
    </div>
  );
}
