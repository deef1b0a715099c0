import { Textarea, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { toldFaults } from '~/ui/toldFaults';

interface Props {
  name: string;
  description: string;
  onName: (name: string) => void;
  onDescription: (description: string) => void;
  /** What the server said to the last attempt. */
  error: Error | null;
  /** Whether somebody has tried to save, so that what is missing is shown. */
  tried: boolean;
  autoFocus?: boolean;
}

/** What a target is called, and what it is for. */
export function NameFields({ name, description, onName, onDescription, error, tried, autoFocus }: Props) {
  const { t } = useTranslation('agents');
  const told = toldFaults(error);
  const missing = tried && !name.trim() ? t('field.nameMissing') : undefined;
  return (
    <>
      <TextInput label={t('field.name')} required maxLength={200} data-autofocus={autoFocus} value={name} onChange={({ currentTarget }) => onName(currentTarget.value)} error={missing ?? told.name} />
      <Textarea
        label={t('field.description')}
        description={t('field.descriptionHelp')}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={10_000}
        value={description}
        onChange={({ currentTarget }) => onDescription(currentTarget.value)}
        error={told.description}
      />
    </>
  );
}
