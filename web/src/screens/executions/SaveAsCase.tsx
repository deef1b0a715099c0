import { Button, Checkbox, Group, Modal, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { keys } from '~/api/keys';
import { useVersion } from '~/screens/agents/targets';
import { CaseFiles } from '~/screens/attachments/CaseFiles';
import { faultsOf as faultsAt } from '~/screens/datasets/cases/caseFaults';
import { type CaseDraft, draftOf, faultsOf, saveCase } from '~/screens/executions/caseDraft';
import { type DatasetChoice, firstOf } from '~/screens/executions/datasetChoice';
import type { Execution } from '~/screens/executions/executions';
import { OutputFit } from '~/screens/executions/OutputFit';
import { useTellSaved } from '~/screens/executions/tellSaved';
import { WhichDataset } from '~/screens/executions/WhichDataset';
import { useDatasetChoices } from '~/screens/runs/datasetChoices';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { focusFault } from '~/ui/focusFault';
import type { JsonSchema } from '~/ui/schema-form/schema';
import { SchemaValueInput } from '~/ui/SchemaValueInput';
import { toldFaults } from '~/ui/toldFaults';

interface Props {
  execution: Execution;
  onClose: () => void;
}

/** Makes an execution a case of a dataset, after somebody has reviewed what becomes of it. */
export function SaveAsCase({ execution, onClose }: Props) {
  const { t } = useTranslation(['executions', 'common']);
  const { datasets, isPending, error, retry } = useDatasetChoices('', execution.target_id);
  const version = useVersion(execution.target_id, execution.version);
  const waits = isPending || version.isPending;
  return (
    <Modal opened onClose={onClose} title={t('save.title')} size="lg" closeButtonProps={{ 'aria-label': t('common:close') }}>
      {waits && !error && <Skeleton height={320} />}
      {error && <ErrorPanel error={error} onRetry={retry} />}
      {!waits && !error && <CaseForm execution={execution} first={firstOf(datasets)} definition={version.data?.definition ?? {}} onClose={onClose} />}
    </Modal>
  );
}

interface FormProps extends Props {
  /** The dataset that is chosen at first. */
  first: DatasetChoice;
  definition: Record<string, unknown>;
}

function CaseForm({ execution, first, definition, onClose }: FormProps) {
  const { t } = useTranslation(['executions', 'common']);
  const [draft, setDraft] = useState(() => draftOf(execution, first, definition));
  const [tried, setTried] = useState(false);
  const [sending, setSending] = useState(false);
  const set = (changes: Partial<CaseDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const save = useSave(execution, (where) => set({ where }), onClose);
  const told = toldFaults(save.error);
  const faults = tried ? faultsOf(draft) : {};
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(faultsOf(draft)).length === 0) save.mutate(draft);
    else focusFault(event.currentTarget);
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('save.lead')}
        </Text>
        <WhichDataset
          choice={draft.where}
          onChange={(where) => set({ where })}
          targetId={execution.target_id}
          none={first.isNew}
          error={faults.dataset ? t(`save.${faults.dataset}`) : (told.dataset_id ?? (draft.where.isNew ? told.name : undefined))}
        />
        <TextInput label={t('save.name')} value={draft.name} onChange={({ currentTarget }) => set({ name: currentTarget.value })} maxLength={200} />
        <SchemaValueInput label={t('save.input')} schema={schemaOf(definition.input_schema)} tried={tried} value={draft.input} onChange={(input) => set({ input })} error={faults.input ? t(`save.${faults.input}`) : told.input} />
        {execution.attachments.length > 0 && (
          <CaseFiles value={draft.attachments} onChange={(next) => setDraft((before) => ({ ...before, attachments: next(before.attachments) }))} onBusy={setSending} error={faultsAt(save.error)('/attachments')} disabled={false} />
        )}
        <SchemaValueInput
          label={t('save.expected')}
          description={t('save.expectedHelp')}
          schema={schemaOf(definition.output_schema)}
          // What does not fit is told below, and no reason to refuse: the reader may know better.
          tried={false}
          value={draft.expected}
          onChange={(expected) => set({ expected })}
          error={told.expected_output}
        />
        <OutputFit execution={execution} expected={draft.expected} />
        <Textarea
          label={t('save.behavior')}
          description={t('save.behaviorHelp')}
          autosize
          minRows={2}
          maxRows={12}
          value={draft.behavior}
          onChange={({ currentTarget }) => set({ behavior: currentTarget.value })}
          error={told.expected_behavior}
        />
        <Checkbox label={t('save.asDraft')} description={t('save.asDraftHelp')} checked={draft.isDraft} onChange={({ currentTarget }) => set({ isDraft: currentTarget.checked })} />
        {save.error && <ErrorPanel error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending || sending}>
            {t('save.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function schemaOf(given: unknown): JsonSchema | null {
  return (given as JsonSchema | null | undefined) ?? null;
}

/** Saves the case, and says where it is. */
function useSave(execution: Execution, onMade: (where: DatasetChoice) => void, onDone: () => void) {
  const { t } = useTranslation('executions');
  const tell = useTellSaved();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (draft: CaseDraft) => saveCase(execution, draft, onMade),
    onSettled: () => void queries.invalidateQueries({ queryKey: keys.datasets() }),
    onSuccess: ({ id, name }, { isDraft }) => {
      tell(t(isDraft ? 'save.doneDraft' : 'save.done', { dataset: name }), t('save.openDataset'), isDraft ? `/datasets/${id}?status=draft` : `/datasets/${id}`);
      onDone();
    },
  });
}
