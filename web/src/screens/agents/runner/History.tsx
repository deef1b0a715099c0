import { ActionIcon, Text, Title, Tooltip, UnstyledButton } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

import { type Execution, useExecution } from '~/screens/executions/executions';
import { OutcomeBadge } from '~/screens/executions/OutcomeBadge';
import { useFormat } from '~/ui/format';
import { asText } from '~/ui/JsonView';

import classes from './Runner.module.css';

interface Props {
  executions: readonly Execution[];
  shown: string | null;
  onShow: (id: string) => void;
  onAgain: (execution: Execution) => void;
}

/** What was run here since the page was opened. */
export function History({ executions, shown, onShow, onAgain }: Props) {
  const { t } = useTranslation('agents');
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id}>
        {t('runner.history')}
      </Title>
      {executions.length === 0 && (
        <Text size="sm" c="dimmed" mt={4}>
          {t('runner.historyEmpty')}
        </Text>
      )}
      <ol className={classes.history}>
        {executions.map((execution) => (
          <Entry key={execution.id} execution={execution} shown={execution.id === shown} onShow={() => onShow(execution.id)} onAgain={() => onAgain(execution)} />
        ))}
      </ol>
    </section>
  );
}

interface EntryProps {
  execution: Execution;
  shown: boolean;
  onShow: () => void;
  onAgain: () => void;
}

/** One that waits for people is followed until it is over. */
function Entry({ execution, shown, onShow, onAgain }: EntryProps) {
  const { t } = useTranslation('agents');
  const format = useFormat();
  const { input, outcome, version, status } = useExecution(execution.id, execution).data ?? execution;
  return (
    <li className={classes.entry} data-shown={shown || undefined}>
      <UnstyledButton className={classes.open} onClick={onShow} aria-current={shown || undefined}>
        <span className={classes.input}>{asText(input)}</span>
        <span className={classes.quiet}>
          {t('version', { number: version })} {'·'} {format.duration(outcome.latency)}
        </span>{' '}
        {status !== 'ok' && <OutcomeBadge status={status} failure={outcome.failure?.type ?? null} />}
      </UnstyledButton>
      <Tooltip label={t('runner.again')}>
        <ActionIcon variant="subtle" color="gray" aria-label={t('runner.again')} onClick={onAgain}>
          <IconArrowBackUp size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}
