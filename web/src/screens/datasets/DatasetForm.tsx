import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '~/api/errors';
import { useSession } from '~/api/session';
import { JudgeSamples } from '~/screens/datasets/JudgeSamples';
import { TargetSelect } from '~/screens/datasets/TargetSelect';
import { ErrorPanel } from '~/ui/ErrorPanel';

export interface DatasetValues {
  name: string;
  description: string;
  target_id: string | null;
  judge_samples: number;
}

interface Props {
  initial: DatasetValues;
  submitLabel: string;
  /** `changes`: what differs from `initial`. */
  onSubmit: (values: DatasetValues, changes: Partial<DatasetValues>) => void;
  onCancel: () => void;
  saving: boolean;
  error: Error | null;
}

/** What a dataset is called, what it is for, and how often judges are asked. */
export function DatasetForm({ initial, submitLabel, onSubmit, onCancel, saving, error }: Props) {
  const { t } = useTranslation(['datasets', 'common']);
  const [start] = useState(initial);
  const [values, setValues] = useState(initial);
  const [tried, setTried] = useState(false);
  const set = (changes: Partial<DatasetValues>) => setValues({ ...values, ...changes });
  const fault = faultOf(error);
  const faults = { name: fault('/name'), description: fault('/description'), target: fault('/target_id') };
  const missing = tried && !values.name.trim() ? t('field.nameMissing') : undefined;
  const narrowed = useSession().data?.targets != null;
  const needed = tried && narrowed && values.target_id === null ? t('field.targetNeeded') : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const given = { ...values, name: values.name.trim(), description: values.description.trim() };
    if (given.name && !(narrowed && given.target_id === null)) onSubmit(given, changesOf(start, given));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput label={t('field.name')} required maxLength={200} data-autofocus value={values.name} onChange={({ currentTarget }) => set({ name: currentTarget.value })} error={missing ?? faults.name} />
        <Textarea label={t('field.description')} description={t('field.descriptionHelp')} autosize minRows={2} maxRows={10} value={values.description} onChange={({ currentTarget }) => set({ description: currentTarget.value })} error={faults.description} />
        <TargetSelect label={t('field.target')} description={t('field.targetHelp')} value={values.target_id} onChange={(target_id) => set({ target_id })} error={needed ?? faults.target} />
        <JudgeSamples value={values.judge_samples} onChange={(judge_samples) => set({ judge_samples })} />
        {error && <ErrorPanel error={error} />}
        {error instanceof ApiError && error.status === 412 && <Text size="sm">{t('staleAgain')}</Text>}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={saving}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function changesOf(before: DatasetValues, after: DatasetValues): Partial<DatasetValues> {
  const names = Object.keys(after) as (keyof DatasetValues)[];
  return Object.fromEntries(names.filter((name) => before[name] !== after[name]).map((name) => [name, after[name]]));
}

/** What the server says of a field. */
function faultOf(error: Error | null) {
  const faults = error instanceof ApiError ? error.errors : [];
  return (pointer: string) => faults.find((fault) => fault.pointer === pointer)?.detail;
}
