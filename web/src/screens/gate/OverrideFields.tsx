import { Checkbox, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

const MOST_REASON = 2000;

interface Props {
  version: number;
  /** Takes the reason once it is given and confirmed; null until then. */
  onReason: (reason: string | null) => void;
}

/** An owner's exception: a reason, and the version typed out, since it stands there for ever. */
export function OverrideFields({ version, onReason }: Props) {
  const { t } = useTranslation('gate');
  const [wanted, setWanted] = useState(false);
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const word = `v${version}`;
  const tell = (next: { wanted?: boolean; reason?: string; typed?: string }) => {
    const now = { wanted, reason, typed, ...next };
    setWanted(now.wanted);
    setReason(now.reason);
    setTyped(now.typed);
    onReason(now.wanted && now.reason.trim() !== '' && now.typed.trim() === word ? now.reason.trim() : null);
  };
  return (
    <Stack gap="sm">
      <Checkbox label={t('override.want')} checked={wanted} onChange={({ currentTarget }) => tell({ wanted: currentTarget.checked })} />
      {wanted && (
        <>
          <Text size="sm">{t('override.warning')}</Text>
          <Textarea label={t('override.why')} required autosize minRows={2} maxLength={MOST_REASON} value={reason} onChange={({ currentTarget }) => tell({ reason: currentTarget.value })} />
          <TextInput label={t('override.confirm', { word })} required autoComplete="off" value={typed} onChange={({ currentTarget }) => tell({ typed: currentTarget.value })} maw={280} />
        </>
      )}
    </Stack>
  );
}
