import { ActionIcon, Progress, Text } from '@mantine/core';
import { IconAlertTriangle, IconUpload, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import type { Upload } from '~/screens/attachments/useUploads';
import { useErrorText } from '~/ui/errorText';
import { useFormat } from '~/ui/format';

import classes from './Files.module.css';

interface Props {
  uploads: Upload[];
  onDrop: (id: number) => void;
}

/** Files on their way, and those that were not taken, with the reason. */
export function Uploads({ uploads, onDrop }: Props) {
  const { t } = useTranslation('attachments');
  if (uploads.length === 0) return null;
  return (
    <ul className={classes.list} aria-label={t('sending')}>
      {uploads.map((upload) => (
        <li key={upload.id} className={classes.row}>
          <span className={classes.picture}>{upload.fault ? <IconAlertTriangle size={22} stroke={1.5} aria-hidden /> : <IconUpload size={22} stroke={1.5} aria-hidden />}</span>
          <div className={classes.what}>
            <Text size="sm" fw={600} className={classes.name}>
              {upload.name}
            </Text>
            {upload.fault ? <Fault error={upload.fault} /> : <Share upload={upload} />}
          </div>
          <ActionIcon variant="subtle" color="gray" aria-label={t(upload.fault ? 'dismiss' : 'stop', { name: upload.name })} onClick={() => onDrop(upload.id)}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </li>
      ))}
    </ul>
  );
}

function Share({ upload: { name, share } }: { upload: Upload }) {
  const { t } = useTranslation('attachments');
  const format = useFormat();
  return (
    <>
      <Progress value={share * 100} aria-label={t('sendingOf', { name })} />
      <Text size="sm" c="dimmed" aria-hidden>
        {share < 1 ? format.percent(share) : t('looking')}
      </Text>
    </>
  );
}

function Fault({ error }: { error: Error }) {
  const { title, detail } = useErrorText(error);
  return (
    <Text size="sm" c="var(--mantine-color-error)" role="alert" className={classes.name}>
      {detail || title}
    </Text>
  );
}
