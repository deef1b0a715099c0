import { Button, FileButton, Text } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import { type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ACCEPT } from '~/screens/attachments/files';
import { RoleGate, useMay } from '~/ui/RoleGate';

import classes from './Files.module.css';

interface Props {
  onFiles: (files: File[]) => void;
  /** Whether it takes one line only. */
  compact?: boolean;
}

/** Where files are dropped, or chosen by the button. */
export function FileDrop({ onFiles, compact = false }: Props) {
  const { t } = useTranslation('attachments');
  const { may } = useMay('editor');
  const [over, setOver] = useState(false);
  const reset = useRef<() => void>(null);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    if (may) onFiles([...event.dataTransfer.files]);
  };
  const drag = (event: DragEvent, entered: boolean) => {
    event.preventDefault();
    setOver(entered && may);
  };
  const choose = (files: File[]) => {
    onFiles(files);
    reset.current?.(); // so that the same file can be chosen again
  };
  return (
    <div className={classes.drop} data-compact={compact || undefined} data-over={over || undefined} onDragOver={(event) => drag(event, true)} onDragLeave={(event) => drag(event, false)} onDrop={drop}>
      <div className={classes.dropText}>
        {!compact && (
          <Text size="sm" fw={600}>
            {t('drop')}
          </Text>
        )}
        <Text size={compact ? 'xs' : 'sm'} c="dimmed">
          {t('formats')}
        </Text>
      </div>
      <FileButton multiple resetRef={reset} onChange={choose} accept={ACCEPT} disabled={!may} inputProps={{ 'aria-label': t('choose') }}>
        {(props) => (
          <RoleGate role="editor">
            {(gate) => (
              <Button variant="default" size="xs" leftSection={<IconPaperclip size={14} aria-hidden />} {...props} {...gate}>
                {t('choose')}
              </Button>
            )}
          </RoleGate>
        )}
      </FileButton>
    </div>
  );
}
