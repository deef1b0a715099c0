import { Button, Group, List, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { type DatasetChoice, datasetFault, firstOf, readDataset } from '~/screens/executions/datasetChoice';
import type { ExecutionEntry } from '~/screens/executions/executions';
import { useTellSaved } from '~/screens/executions/tellSaved';
import { WhichDataset } from '~/screens/executions/WhichDataset';
import { useDatasetChoices } from '~/screens/runs/datasetChoices';
import { Caution } from '~/ui/Caution';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { focusFault } from '~/ui/focusFault';
import { toldFaults } from '~/ui/toldFaults';

type Harvested = Schemas['Harvested'];

interface Props {
  executions: readonly ExecutionEntry[];
  onClose: () => void;
  onAdded: () => void;
}

/** Adds executions to a dataset as drafts, once somebody has said to which. */
export function AddDrafts({ executions, onClose, onAdded }: Props) {
  const { t } = useTranslation(['executions', 'common']);
  const targetId = onlyTarget(executions);
  const { datasets, isPending, error, retry } = useDatasetChoices('', targetId);
  return (
    <Modal opened onClose={onClose} title={t('harvest.title', { count: executions.length })} closeButtonProps={{ 'aria-label': t('common:close') }}>
      {isPending && !error && <Skeleton height={180} />}
      {error && <ErrorPanel error={error} onRetry={retry} />}
      {!isPending && !error && <DraftsForm executions={executions} targetId={targetId} first={firstOf(datasets)} onClose={onClose} onAdded={onAdded} />}
    </Modal>
  );
}

function DraftsForm({ executions, targetId, first, onClose, onAdded }: Props & { targetId: string | null; first: DatasetChoice }) {
  const { t } = useTranslation(['executions', 'common']);
  const [choice, setChoice] = useState(first);
  const [tried, setTried] = useState(false);
  const add = useAddDrafts(executions, targetId, setChoice, onAdded);
  const told = toldFaults(add.error);
  const fault = tried ? datasetFault(choice) : undefined;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (datasetFault(choice)) focusFault(event.currentTarget);
    else add.mutate(choice);
  };
  if (add.data && add.data.unfit.length > 0) return <Unfit done={add.data} onClose={onAdded} />;
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('harvest.lead')}
        </Text>
        <WhichDataset choice={choice} onChange={setChoice} targetId={targetId} none={first.isNew} error={fault ? t(`save.${fault}`) : (told.dataset_id ?? told.name)} />
        {add.error && <ErrorPanel error={add.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {t('harvest.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Which of them could not become cases, and why. */
function Unfit({ done: { unfit }, onClose }: { done: Harvested; onClose: () => void }) {
  const { t } = useTranslation(['executions', 'common']);
  return (
    <Stack>
      <Caution title={t('harvest.unfit', { count: unfit.length })}>
        <List size="sm">
          {unfit.map(({ execution_id, reason }) => (
            <List.Item key={execution_id}>{reason}</List.Item>
          ))}
        </List>
      </Caution>
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('common:close')}</Button>
      </Group>
    </Stack>
  );
}

/** Adds them, and says what became of them. Some that were not fit keep the dialog open. */
function useAddDrafts(executions: readonly ExecutionEntry[], targetId: string | null, onMade: (choice: DatasetChoice) => void, onAdded: () => void) {
  const { t } = useTranslation('executions');
  const tell = useTellSaved();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (choice: DatasetChoice) => {
      const { id } = await readDataset(choice, targetId);
      // Should the cases be refused, the new dataset is there all the same.
      if (choice.isNew) onMade({ isNew: false, dataset: id, newName: '' });
      return answer(api.POST('/api/executions/to-cases', { body: { dataset_id: id, execution_ids: executions.map((execution) => execution.id) } }));
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: keys.datasets() }),
    onSuccess: ({ dataset_id, dataset_name, added, present, missing, unfit }) => {
      const parts = [
        t('harvest.added', { count: added, dataset: dataset_name }),
        ...(present > 0 ? [t('harvest.present', { count: present })] : []),
        ...(missing.length > 0 ? [t('harvest.missing', { count: missing.length })] : []),
      ];
      tell(parts.join(' '), t('harvest.open'), `/datasets/${dataset_id}?status=draft`);
      if (unfit.length === 0) onAdded();
    },
  });
}

/** The target that all of them are of; null where there are several. */
function onlyTarget(executions: readonly ExecutionEntry[]): string | null {
  const ids = new Set(executions.map(({ target_id }) => target_id));
  return ids.size === 1 ? (executions[0]?.target_id ?? null) : null;
}
