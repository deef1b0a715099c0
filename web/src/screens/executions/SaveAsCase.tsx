import { Anchor, Button, Group, Modal, Skeleton, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { keys } from '~/api/keys';
import { useVersion } from '~/screens/agents/targets';
import { type CaseDraft, draftOf, faultsOf, saveCase } from '~/screens/executions/caseDraft';
import type { Execution } from '~/screens/executions/executions';
import { OutputFit } from '~/screens/executions/OutputFit';
import { DatasetSelect } from '~/screens/runs/RemoteSelect';
import { datasetChoicesQuery } from '~/screens/runs/runQueries';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { focusFault } from '~/ui/focusFault';
import type { JsonSchema } from '~/ui/schema-form/schema';
import { SchemaValueInput } from '~/ui/SchemaValueInput';
import { toldFaults } from '~/ui/toldFaults';
import { TypedValueInput } from '~/ui/TypedValueInput';

interface Props {
  execution: Execution;
  onClose: () => void;
}

/** Makes an execution a case of a dataset, after somebody has reviewed what becomes of it. */
export function SaveAsCase({ execution, onClose }: Props) {
  const { t } = useTranslation(['executions', 'common']);
  const datasets = useQuery(datasetChoicesQuery(''));
  return (
    <Modal opened onClose={onClose} title={t('save.title')} size="lg" closeButtonProps={{ 'aria-label': t('common:close') }}>
      {datasets.isPending && <Skeleton height={320} />}
      {datasets.isError && <ErrorPanel error={datasets.error} onRetry={() => void datasets.refetch()} />}
      {datasets.data && <CaseForm execution={execution} none={datasets.data.total === 0} onClose={onClose} />}
    </Modal>
  );
}

/** `none`: there is no dataset yet, so one is made. */
function CaseForm({ execution, none, onClose }: Props & { none: boolean }) {
  const { t } = useTranslation(['executions', 'common']);
  const [draft, setDraft] = useState(() => draftOf(execution, none));
  const [tried, setTried] = useState(false);
  const save = useSave(execution, onClose);
  const version = useVersion(execution.target_id, execution.version);
  const schema = (version.data?.definition.input_schema as JsonSchema | null | undefined) ?? null;
  const set = (changes: Partial<CaseDraft>) => setDraft({ ...draft, ...changes });
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
        <WhichDataset draft={draft} onChange={set} none={none} error={faults.dataset ? t(`save.${faults.dataset}`) : (told.dataset_id ?? told.name)} />
        <SchemaValueInput label={t('save.input')} schema={schema} tried={tried} value={draft.input} onChange={(input) => set({ input })} error={faults.input ? t(`save.${faults.input}`) : told.input} />
        <TextInput label={t('save.name')} value={draft.name} onChange={({ currentTarget }) => set({ name: currentTarget.value })} maxLength={200} />
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
        <TypedValueInput label={t('save.expected')} description={t('save.expectedHelp')} value={draft.expected} onChange={(expected) => set({ expected })} error={told.expected_output} />
        <OutputFit execution={execution} expected={draft.expected} />
        {save.error && <ErrorPanel error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t('save.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface DatasetProps {
  draft: CaseDraft;
  onChange: (changes: Partial<CaseDraft>) => void;
  none: boolean;
  error: string | undefined;
}

/** A dataset that is there, or the name of a new one. */
function WhichDataset({ draft: { isNew, dataset, newName }, onChange, none, error }: DatasetProps) {
  const { t } = useTranslation('executions');
  return (
    <div>
      {isNew ? (
        <TextInput label={t('save.newName')} required maxLength={200} value={newName} onChange={({ currentTarget }) => onChange({ newName: currentTarget.value })} error={error} data-autofocus />
      ) : (
        <DatasetSelect label={t('save.dataset')} required value={dataset} onChange={(chosen) => onChange({ dataset: chosen })} error={error} data-autofocus />
      )}
      {!none && (
        <Button variant="subtle" size="compact-xs" mt={4} onClick={() => onChange({ isNew: !isNew })}>
          {isNew ? t('save.existing') : t('save.newDataset')}
        </Button>
      )}
    </div>
  );
}

/** Saves the case, and says where it is. */
function useSave(execution: Execution, onDone: () => void) {
  const { t } = useTranslation('executions');
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (draft: CaseDraft) => saveCase(execution, draft),
    onSuccess: ({ id, name }) => {
      notifications.show({
        message: (
          <>
            {t('save.done', { dataset: name })}{' '}
            {/* A notification stands outside of the router, so it has no links of its own. */}
            <Anchor component="button" type="button" inherit onClick={() => void navigate(`/datasets/${id}`)}>
              {t('save.openDataset')}
            </Anchor>
          </>
        ),
      });
      void queries.invalidateQueries({ queryKey: keys.datasets() });
      onDone();
    },
  });
}
