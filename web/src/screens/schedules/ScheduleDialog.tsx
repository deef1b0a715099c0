import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api } from '~/api/client';
import { ApiError } from '~/api/errors';
import { keys } from '~/api/keys';
import type { Tagged } from '~/api/tagged';
import { DatasetSelect, TargetSelect } from '~/screens/runs/RemoteSelect';
import { modelsQuery } from '~/screens/runs/runQueries';
import { FiringsPreview } from '~/screens/schedules/FiringsPreview';
import { draftOf, givenOf, missingIn, newDraft, placed, type ScheduleDraft, timingOf } from '~/screens/schedules/scheduleDraft';
import { previewQuery, type Schedule, type Timing, useSaveSchedule } from '~/screens/schedules/scheduleQueries';
import { TimingFields } from '~/screens/schedules/TimingFields';
import { readersZone } from '~/screens/schedules/zones';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { focusFault } from '~/ui/focusFault';
import { RoleGate } from '~/ui/RoleGate';

import classes from './ScheduleDialog.module.css';

const TYPING_MS = 300;
const NAME_LENGTH = 200;
const OFFERED = 50;

interface Props {
  /** The one that is edited; a new one when left out. */
  editing?: Tagged<Schedule>;
  /** The target, where it stands. Others are not offered then. */
  target?: { id: string; name: string };
  /** The id of the dataset that is chosen already. */
  dataset?: string | null;
  onClose: () => void;
  onSaved: (saved: Schedule) => void;
}

/** Makes a schedule, or edits one; what it means and when it fires next is told while it is typed. */
export function ScheduleDialog({ editing: read, target, dataset = null, onClose, onSaved }: Props) {
  const { t } = useTranslation(['schedules', 'common']);
  // As it was when the form opened: what others change meanwhile is refused, not written over.
  const [editing] = useState(read);
  const [draft, setDraft] = useState(() => (editing ? draftOf(editing.value) : newDraft(target?.id ?? null, dataset, readersZone(), Date.now())));
  const [tried, setTried] = useState(false);
  const defaultDataset = useDefaultDataset(editing ? null : draft.target);
  const chosen = draft.dataset ?? defaultDataset;
  const timing = timingOf(draft, editing?.value);
  const preview = usePreview(timing);
  const save = useSaveSchedule(editing, onSaved);
  const change = (changes: Partial<ScheduleDraft>) => {
    save.reset();
    setDraft({ ...draft, ...changes });
  };
  const errors = useErrors(draft, chosen, tried, preview.error, save.error);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    const complete = Object.keys(missingIn(draft, draft.target, chosen)).length === 0;
    if (complete && timing && draft.target && chosen) save.mutate(givenOf(draft, timing, draft.target, chosen, editing?.value.paused ?? false));
    else focusFault(event.currentTarget);
  };
  return (
    <Modal opened onClose={onClose} title={t(editing ? 'form.edit' : 'form.new')} size={900} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <form onSubmit={submit} noValidate className={classes.form}>
        <Stack gap="md">
          <TextInput label={t('form.name')} required maxLength={NAME_LENGTH} data-autofocus value={draft.name} onChange={({ currentTarget }) => change({ name: currentTarget.value })} error={errors.fields.name} />
          {target ? (
            <TextInput label={t('target')} description={t('form.targetHelp')} value={target.name} readOnly error={errors.fields.target} />
          ) : (
            <TargetSelect label={t('target')} description={t('form.targetHelp')} required value={draft.target} onChange={(id) => change({ target: id })} error={errors.fields.target} openOnFocus={false} />
          )}
          <DatasetSelect label={t('dataset')} description={t('form.datasetHelp')} required value={chosen} onChange={(id) => change({ dataset: id })} error={errors.fields.dataset} nothingFoundMessage={t('form.noDataset')} />
          <TimingFields draft={draft} onChange={change} errors={errors.fields} />
        </Stack>
        <FiringsPreview timing={timing} firings={preview.data?.firings} refused={preview.isError} stale={preview.stale} />
        <Stack className={classes.foot}>
          <NoJudge />
          {errors.other && <ErrorPanel error={errors.other} />}
          {save.error instanceof ApiError && save.error.status === 412 && <Text size="sm">{t('form.stale')}</Text>}
          {editing && <Text size="sm" c="dimmed">{t('form.editHelp')}</Text>}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <RoleGate role="editor">
              {(gate) => (
                <Button type="submit" loading={save.isPending} {...gate}>
                  {t(editing ? 'common:save' : 'common:create')}
                </Button>
              )}
            </RoleGate>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** A schedule names no judge, so where the server has none, what needs one cannot start. */
function NoJudge() {
  const { t } = useTranslation('schedules');
  const models = useQuery(modelsQuery());
  return models.data?.judge === null ? (
    <Text size="sm" c="dimmed">
      {t('form.noJudge')}
    </Text>
  ) : null;
}

/** The next firings, asked for once the typing rests. */
function usePreview(timing: Timing | null) {
  const typed = JSON.stringify(timing);
  const [rested] = useDebouncedValue(typed, TYPING_MS);
  const asked = JSON.parse(rested) as Timing | null;
  const query = useQuery({ ...previewQuery(asked as Timing), enabled: asked !== null, placeholderData: keepPreviousData });
  return { data: query.data, error: query.error, isError: query.isError, stale: query.isPlaceholderData || rested !== typed };
}

/** Of the target's datasets the first, with a case to run if there is one; null until that is known. */
function useDefaultDataset(targetId: string | null): string | null {
  const filters = { target_id: targetId ?? undefined, page: 1, size: OFFERED };
  const { data } = useQuery({
    queryKey: keys.datasetList(filters),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/datasets', { params: { query: filters }, signal })),
    enabled: targetId !== null,
  });
  const items = data?.items ?? [];
  return (items.find(({ runnable }) => runnable) ?? items[0])?.id ?? null;
}

/** What is wrong by field: what is missing once it was tried to save, and what the server said; `other` has no field. */
function useErrors(draft: ScheduleDraft, dataset: string | null, tried: boolean, ...told: (Error | null)[]) {
  const { t } = useTranslation('schedules');
  const missing = Object.entries(missingIn(draft, draft.target, dataset)).filter(([field, fault]) => tried || (field === 'recurrence' && fault === 'fiveFields') || fault === 'endsBefore');
  const server = told.map((error) => ({ error, ...placed(error instanceof ApiError ? error.errors : []) }));
  const fields = Object.assign({}, ...server.map(({ errors }) => errors), Object.fromEntries(missing.map(([field, fault]) => [field, t(`form.fault.${fault}`)]))) as ReturnType<typeof placed>['errors'];
  return { fields, other: server.find(({ error, complete }) => error !== null && !complete)?.error ?? null };
}
