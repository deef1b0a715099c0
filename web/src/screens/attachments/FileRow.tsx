import { Anchor, Text } from '@mantine/core';
import { IconFileText, IconFileTypePdf, IconPhotoOff } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { type Attachment, contentAddress, isImage, useSize } from '~/screens/attachments/files';

import classes from './Files.module.css';

interface Props {
  file: Attachment;
  /** What can be done with it. */
  actions?: ReactNode;
}

/** A file in a list: a small picture, its name, which opens it, what it is and how large. */
export function FileRow({ file, actions }: Props) {
  return (
    <li className={classes.row}>
      <Picture file={file} />
      <div className={classes.what}>
        <FileName file={file} />
        <FileFacts file={file} />
      </div>
      {actions}
    </li>
  );
}

/** The name, leading to the content in a tab of its own. */
export function FileName({ file }: { file: Attachment }) {
  return (
    <Anchor href={contentAddress(file)} target="_blank" rel="noreferrer" size="sm" fw={600} c="inherit" className={classes.name}>
      {file.name}
    </Anchor>
  );
}

export function FileFacts({ file }: { file: Attachment }) {
  const { t } = useTranslation('attachments');
  const size = useSize();
  return (
    <Text size="sm" c="dimmed">
      {t('facts', { type: t(`type.${file.media_type}`), size: size(file.size) })}
    </Text>
  );
}

/** An image in small; a sign of what it is for any other. */
export function Picture({ file }: { file: Attachment }) {
  const [broken, setBroken] = useState(false);
  const Sign = broken ? IconPhotoOff : file.media_type === 'application/pdf' ? IconFileTypePdf : IconFileText;
  return (
    <span className={classes.picture}>
      {isImage(file) && !broken ? <img src={contentAddress(file)} alt="" loading="lazy" onError={() => setBroken(true)} /> : <Sign size={22} stroke={1.5} aria-hidden />}
    </span>
  );
}
