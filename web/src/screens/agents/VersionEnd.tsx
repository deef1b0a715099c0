import { Button, Group, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { ErrorPanel } from '~/ui/ErrorPanel';
import { RoleGate } from '~/ui/RoleGate';
import { toldFaults } from '~/ui/toldFaults';

interface Props {
  note: string;
  onNote: (note: string) => void;
  error: Error | null;
  isPending: boolean;
}

/** What every form of a new version ends with: what is new in it, what the server refused, and the button. */
export function VersionEnd({ note, onNote, error, isPending }: Props) {
  const { t } = useTranslation('agents');
  return (
    <>
      <TextInput maw={820} label={t('edit.note')} description={t('edit.noteHelp')} maxLength={2000} value={note} onChange={({ currentTarget }) => onNote(currentTarget.value)} error={toldFaults(error).note} />
      {error && <ErrorPanel error={error} />}
      <Group>
        <RoleGate role="editor">
          {(gate) => (
            <Button type="submit" loading={isPending} {...gate}>
              {t('edit.submit')}
            </Button>
          )}
        </RoleGate>
      </Group>
    </>
  );
}
