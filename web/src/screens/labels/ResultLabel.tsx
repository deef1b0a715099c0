import { Button, Group, Paper, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { type Label, type LabelVerdict, type Place, useLabel } from '~/screens/labels/labelQueries';
import { VerdictButtons } from '~/screens/labels/VerdictButtons';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useFormat } from '~/ui/format';
import { useMay } from '~/ui/RoleGate';
import { VerdictBadge } from '~/ui/VerdictBadge';

import classes from './Labels.module.css';

const MOST_NOTE = 10_000;

interface Props {
  runId: string;
  result: Schemas['CaseResult'];
  label: Label | null;
}

/** What a person says of a result: give it, change it, take it away. */
export function ResultLabel({ runId, result, label }: Props) {
  const { t } = useTranslation(['labels', 'common']);
  const [editing, setEditing] = useState(false);
  const { give, remove } = useLabel(false);
  const { may, reason } = useMay('editor');
  const place = { runId, caseId: result.case_id, trial: result.trial };
  const done = (message: string) => ({
    onSuccess: () => {
      notifications.show({ message });
      setEditing(false);
    },
  });
  const error = give.error ?? remove.error;
  return (
    <Paper p="md">
      <Stack gap="sm" align="flex-start">
        {label && !editing ? (
          <>
            <Said label={label} />
            <Group gap="xs">
              <Button variant="default" size="xs" disabled={!may} onClick={() => setEditing(true)}>
                {t('common:edit')}
              </Button>
              <Button variant="default" size="xs" disabled={!may} loading={remove.isPending} onClick={() => remove.mutate(place, done(t('removed')))}>
                {t('remove')}
              </Button>
            </Group>
          </>
        ) : (
          <Form label={label} place={place} saving={give.isPending} onGive={(given) => give.mutate(given, done(t('saved')))} onCancel={editing ? () => setEditing(false) : undefined} />
        )}
        {!may && <Text size="sm">{reason}</Text>}
        {error && <ErrorPanel error={error} />}
      </Stack>
    </Paper>
  );
}

function Said({ label: { verdict, note, by, at, blind } }: { label: Label }) {
  const { t } = useTranslation('labels');
  const format = useFormat();
  return (
    <>
      <div className={classes.head}>
        <VerdictBadge verdict={verdict} />
        <Text size="sm" c="dimmed">
          {t(blind ? 'byBlind' : 'by', { by, when: format.dateTime(at) })}
        </Text>
      </div>
      {note && <p className={classes.note}>{note}</p>}
    </>
  );
}

interface FormProps {
  label: Label | null;
  place: Place;
  saving: boolean;
  onGive: (given: Place & { verdict: LabelVerdict; note: string }) => void;
  onCancel: (() => void) | undefined;
}

function Form({ label, place, saving, onGive, onCancel }: FormProps) {
  const { t } = useTranslation(['labels', 'common']);
  const [note, setNote] = useState(label?.note ?? '');
  const { may } = useMay('editor');
  return (
    <Stack gap="sm" w="100%" maw={640}>
      <Text size="sm">{t('ask')}</Text>
      <Textarea label={t('note')} autosize minRows={1} maxRows={8} maxLength={MOST_NOTE} value={note} onChange={({ currentTarget }) => setNote(currentTarget.value)} disabled={!may} />
      <Group gap="xs">
        <VerdictButtons chosen={label?.verdict ?? null} loading={saving} onChoose={(verdict) => onGive({ ...place, verdict, note })} />
        {onCancel && (
          <Button variant="subtle" onClick={onCancel}>
            {t('common:cancel')}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
