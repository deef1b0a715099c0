import { Alert, Paper, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { type Execution, isOver } from '~/screens/executions/executions';
import { Part } from '~/screens/executions/Part';
import { ToolCalls } from '~/screens/executions/ToolCalls';
import { tokensOf, useCostText, useUnpricedText } from '~/screens/usage/cost';
import { Figures } from '~/ui/Figures';
import { useFormat } from '~/ui/format';
import { JsonView } from '~/ui/JsonView';
import { TraceView } from '~/ui/trace/TraceView';

/** Longer ones scroll. */
const MOST_MESSAGE = 2000;

interface Props {
  execution: Execution;
  /** What can be done with it. */
  actions?: ReactNode;
}

/** What came of an execution: the answer or the failure, its figures, the tools it called, and its trace. */
export function OutcomeView({ execution, actions }: Props) {
  const { t } = useTranslation('executions');
  const { failure, output, trace } = execution.outcome;
  return (
    <>
      <Part title={t('output')} actions={actions}>
        {failure ? (
          <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title={t('failure', { type: failure.type })}>
            {failure.message.length > MOST_MESSAGE ? (
              <JsonView value={failure.message} label={t('failure', { type: failure.type })} />
            ) : (
              <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
                {failure.message}
              </Text>
            )}
          </Alert>
        ) : isOver(execution) ? (
          <JsonView value={output} label={t('output')} />
        ) : (
          <Text c="dimmed" role="status">
            {t(execution.status === 'waiting' ? 'waits' : 'goesOn')}
          </Text>
        )}
      </Part>
      <Paper p="md" mb={28}>
        <OutcomeFigures execution={execution} />
      </Paper>
      {trace && <ToolCalls trace={trace} />}
      <Part title={t('trace')}>{trace ? <TraceView trace={trace} /> : <Text c="dimmed">{t('noTrace')}</Text>}</Part>
    </>
  );
}

function OutcomeFigures({ execution }: { execution: Execution }) {
  const { t } = useTranslation(['executions', 'agents']);
  const format = useFormat();
  const costOf = useCostText();
  const unpricedOf = useUnpricedText();
  const { usage, latency } = execution.outcome;
  return (
    <Figures
      figures={[
        { name: t('figure.latency'), value: format.duration(latency) },
        { name: t('figure.tokens'), value: format.number(tokensOf(usage)), more: tokensOf(usage) !== null && t('figure.tokensMore', { input: format.number(usage.input_tokens), output: format.number(usage.output_tokens) }) },
        { name: t('figure.calls'), value: format.number(usage.calls) },
        { name: t('figure.cost'), value: costOf(usage), more: unpricedOf(usage) },
        { name: t('figure.version'), value: t('agents:version', { number: execution.version }) },
      ]}
    />
  );
}
