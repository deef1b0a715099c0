import { Alert, Button, Kbd, Paper, Skeleton, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle, IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';

import { blindQuery, type Entry, type LabelVerdict, useLabel } from '~/screens/labels/labelQueries';
import { isTyping } from '~/screens/labels/isTyping';
import { VerdictButtons } from '~/screens/labels/VerdictButtons';
import { InputAndAnswer } from '~/screens/runs/result/InputAndAnswer';
import { Section } from '~/screens/runs/result/Section';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useMay } from '~/ui/RoleGate';

import classes from './Labels.module.css';

const MOST_NOTE = 10_000;

interface Props {
  runId: string;
  entry: Entry;
  /** Its place, counted from 0, of so many. */
  at: number;
  total: number;
  go: (place: number) => void;
}

/** One result to label: what was asked, what was expected, what came, and the rules in words. */
export function BlindCase({ runId, entry, at, total, go }: Props) {
  const { t } = useTranslation('labels');
  const place = { runId, caseId: entry.case_id, trial: entry.trial };
  const result = useQuery(blindQuery(place));
  if (result.isError) return <ErrorPanel error={result.error} onRetry={() => void result.refetch()} />;
  if (result.isPending) return <Skeleton height={320} />;
  const { case: asked, outcome, criteria } = result.data;
  const rules = Object.entries(criteria);
  return (
    <Stack gap="lg">
      <Text fw={600}>
        {t('place', { number: at + 1, count: total })} {'·'} {entry.case_name || asked.key}
      </Text>
      {outcome.failure && (
        <Alert color="gold" icon={<IconAlertTriangle aria-hidden />} title={outcome.failure.type}>
          {outcome.failure.message}
        </Alert>
      )}
      <InputAndAnswer asked={asked} result={{ outcome }} />
      {rules.length > 0 && (
        <Section title={t('rules')}>
          <Paper p="md" component="dl" className={classes.criteria}>
            {rules.map(([name, text]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </Paper>
        </Section>
      )}
      <Bar place={place} label={result.data.label} at={at} total={total} go={go} />
    </Stack>
  );
}

interface BarProps extends Pick<Props, 'at' | 'total' | 'go'> {
  place: { runId: string; caseId: string; trial: number };
  label: { verdict: LabelVerdict; note: string } | null;
}

/** The label, the note and the ways on; P, F, S and the arrows do the same. */
function Bar({ place, label, at, total, go }: BarProps) {
  const { t } = useTranslation('labels');
  const [note, setNote] = useState(label?.note ?? '');
  const field = useRef<HTMLTextAreaElement>(null);
  const { may } = useMay('editor');
  const { give, remove } = useLabel(true);
  const say = (verdict: LabelVerdict) => {
    if (may && !give.isPending) give.mutate({ ...place, verdict, note }, { onSuccess: () => go(at + 1) });
  };
  const back = () => at > 0 && go(at - 1);
  const skip = () => go(at + 1);
  useKeys({ p: () => say('pass'), f: () => say('fail'), s: skip, arrowright: skip, arrowleft: back, n: () => field.current?.focus() });
  const error = give.error ?? remove.error;
  return (
    <Paper className={classes.bar} shadow="md" role="region" aria-label={t('bar')}>
      <Textarea
        ref={field}
        label={t('note')}
        autosize
        minRows={1}
        maxRows={5}
        maxLength={MOST_NOTE}
        value={note}
        disabled={!may}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
      />
      <div className={classes.buttons}>
        <VerdictButtons chosen={label?.verdict ?? null} loading={give.isPending} onChoose={say} />
        {label && (
          <Button variant="default" disabled={!may} loading={remove.isPending} onClick={() => remove.mutate(place)}>
            {t('remove')}
          </Button>
        )}
        <Button variant="subtle" leftSection={<IconArrowLeft size={16} aria-hidden />} disabled={at === 0} onClick={back}>
          {t('back')}
        </Button>
        <Button variant="subtle" rightSection={<IconArrowRight size={16} aria-hidden />} onClick={skip}>
          {at + 1 < total ? t('skip') : t('finish')}
        </Button>
      </div>
      {error && <ErrorPanel error={error} />}
      <div className={classes.keys}>
        <Trans t={t} i18nKey="keys" components={{ k: <Kbd size="xs" /> }} />
      </div>
    </Paper>
  );
}

/** Calls what belongs to a key, unless somebody types in a field or holds another key with it. */
function useKeys(actions: Record<string, () => unknown>) {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const action = latest.current[event.key.toLowerCase()];
      if (!action || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
