import { Group, Loader, Paper, Text } from '@mantine/core';
import { IconAlertTriangleFilled, IconClock, IconMessage, IconRobot, IconTool } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { SpanEnded } from '~/screens/agents/runner/invoke';
import { useFormat } from '~/ui/format';

import classes from './Runner.module.css';

const TICK_MS = 1000;
const NS = 1e-9;
const ICONS: Record<string, typeof IconClock> = { invoke_agent: IconRobot, chat: IconMessage, execute_tool: IconTool };

interface Props {
  since: number;
  spans: readonly SpanEnded[];
  /** What shows the steps in another way than as a list. */
  children?: ReactNode;
}

/** What a target that is running has done so far. */
export function LiveSpans({ since, spans, children }: Props) {
  const { t } = useTranslation('agents');
  const format = useFormat();
  const seconds = useSecondsSince(since);
  return (
    <Paper p="md">
      <Group gap="sm">
        <Loader size="xs" aria-hidden />
        <Text>{seconds === 0 ? t('runner.started') : t('runner.running', { time: format.duration(seconds) })}</Text>
      </Group>
      {children && <div className={classes.picture}>{children}</div>}
      {!children && spans.length === 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('runner.connecting')}
        </Text>
      )}
      {!children && (
        <ul className={classes.spans} aria-label={t('runner.steps')} aria-live="polite">
          {spans.map((span) => (
            <Row key={span.span_id} span={span} />
          ))}
        </ul>
      )}
    </Paper>
  );
}

function Row({ span }: { span: SpanEnded }) {
  const { t } = useTranslation('trace');
  const format = useFormat();
  const Icon = span.error === null ? (ICONS[String(span.operation)] ?? IconClock) : IconAlertTriangleFilled;
  return (
    <li className={classes.span} data-failed={span.error !== null || undefined}>
      <Icon size={16} aria-hidden />
      <span className={classes.name}>{span.name}</span>
      {span.error !== null && <span className={classes.quiet}>{t('error')}</span>}
      <span className={classes.quiet}>{format.duration((span.end_ns - span.start_ns) * NS)}</span>
    </li>
  );
}

/** Whole seconds since a moment in milliseconds. */
function useSecondsSince(since: number): number {
  const [now, setNow] = useState(since);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.floor((now - since) / 1000));
}
