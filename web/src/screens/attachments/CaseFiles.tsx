import { ActionIcon, Group, Input, Stack, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconDownload, IconX } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

import { FileDrop } from '~/screens/attachments/FileDrop';
import { FileRow } from '~/screens/attachments/FileRow';
import { type Attachment, contentAddress, freeName, MOST_CASE_BYTES, MOST_FILES, useSize } from '~/screens/attachments/files';
import { Uploads } from '~/screens/attachments/Uploads';
import { useUploads } from '~/screens/attachments/useUploads';
import { Caution } from '~/ui/Caution';

import classes from './Files.module.css';

interface Props {
  value: Attachment[];
  /** Takes what makes the next files of those there are then: several may come at once. */
  onChange: (next: (files: Attachment[]) => Attachment[]) => void;
  /** Told whether files are on their way, so that the case is not saved without them. */
  onBusy: (busy: boolean) => void;
  error: string | undefined;
  disabled: boolean;
  /** Why the target takes none. */
  refusal?: string | null;
  /** Whether it takes little room: no heading, and one line where files are chosen. */
  compact?: boolean;
}

/** The files of a case: dropped, chosen or pasted; they go to the target with the input. */
export function CaseFiles({ value, onChange, onBusy, error, disabled, refusal = null, compact = false }: Props) {
  const { t } = useTranslation('attachments');
  const size = useSize();
  const { uploads, add, drop, busy } = useUploads((file) =>
    onChange((files) => (files.some(({ hash }) => hash === file.hash) ? files : [...files, { ...file, name: freeName(file.name, files.map(({ name }) => name)) }])),
  );
  useEffect(() => onBusy(busy), [busy, onBusy]);
  useWindowEvent('paste', (event) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (files.length === 0 || disabled) return;
    event.preventDefault();
    add(files);
  });
  const total = value.reduce((sum, file) => sum + file.size, 0);
  const tooMany = value.length > MOST_FILES ? t('tooMany', { most: MOST_FILES }) : null;
  const tooMuch = total > MOST_CASE_BYTES ? t('tooMuch', { size: size(total), most: size(MOST_CASE_BYTES) }) : null;
  const fault = tooMany ?? tooMuch ?? error;
  return (
    <div>
      {!compact && (
        <>
          <Input.Label labelElement="div">{t('inCase.title')}</Input.Label>
          <Input.Description mb={6}>{t('inCase.lead')}</Input.Description>
        </>
      )}
      <Stack gap="xs">
        {value.length > 0 && (
          <ul className={classes.list} aria-label={t('inCase.title')}>
            {value.map((file) => (
              <FileRow key={file.name} file={file} actions={<Actions file={file} disabled={disabled} onRemove={() => onChange((files) => files.filter(({ name }) => name !== file.name))} />} />
            ))}
          </ul>
        )}
        <Uploads uploads={uploads} onDrop={drop} />
        <FileDrop onFiles={add} compact={compact} />
        {refusal !== null && <Refusal text={refusal} files={value.length} />}
        {fault && <Input.Error role="alert">{fault}</Input.Error>}
      </Stack>
    </div>
  );
}

/** That the target takes no files: a word beside the picker, a warning once there are some. */
function Refusal({ text, files }: { text: string; files: number }) {
  const { t } = useTranslation('attachments');
  if (files > 0) return <Caution title={t('refused.title')}>{text}</Caution>;
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}

function Actions({ file, disabled, onRemove }: { file: Attachment; disabled: boolean; onRemove: () => void }) {
  const { t } = useTranslation('attachments');
  return (
    <Group gap={2} wrap="nowrap">
      <Download file={file} />
      <ActionIcon variant="subtle" color="gray" disabled={disabled} aria-label={t('remove', { name: file.name })} onClick={onRemove}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}

export function Download({ file }: { file: Attachment }) {
  const { t } = useTranslation('attachments');
  return (
    <ActionIcon component="a" href={contentAddress(file, true)} variant="subtle" color="gray" aria-label={t('download', { name: file.name })}>
      <IconDownload size={16} aria-hidden />
    </ActionIcon>
  );
}
