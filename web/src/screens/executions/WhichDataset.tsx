import { Button, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { DatasetChoice } from '~/screens/executions/datasetChoice';
import { DatasetSelect } from '~/screens/runs/RemoteSelect';

interface Props {
  choice: DatasetChoice;
  onChange: (choice: DatasetChoice) => void;
  /** Whose datasets come first. */
  targetId: string | null;
  /** Whether there is no dataset that may be changed, so that one must be made. */
  none: boolean;
  error: string | undefined;
}

/** A dataset that is there, or the name of a new one. */
export function WhichDataset({ choice, onChange, targetId, none, error }: Props) {
  const { t } = useTranslation('executions');
  const { isNew, dataset, newName } = choice;
  return (
    <div>
      {isNew ? (
        <TextInput label={t('save.newName')} required maxLength={200} value={newName} onChange={({ currentTarget }) => onChange({ ...choice, newName: currentTarget.value })} error={error} data-autofocus />
      ) : (
        <DatasetSelect label={t('save.dataset')} required targetId={targetId} notChangeable={t('save.notYours')} value={dataset} onChange={(chosen) => onChange({ ...choice, dataset: chosen })} error={error} data-autofocus />
      )}
      {!none && (
        <Button variant="subtle" size="compact-xs" mt={4} onClick={() => onChange({ ...choice, isNew: !isNew })}>
          {t(isNew ? 'save.existing' : 'save.newDataset')}
        </Button>
      )}
    </div>
  );
}
