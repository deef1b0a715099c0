import { useTranslation } from 'react-i18next';

import { Download } from '~/screens/attachments/CaseFiles';
import { FileRow } from '~/screens/attachments/FileRow';
import type { Attachment } from '~/screens/attachments/files';

import classes from './Files.module.css';

/** The files of a case, to be looked at. */
export function ShownFiles({ files }: { files: readonly Attachment[] }) {
  const { t } = useTranslation('attachments');
  return (
    <ul className={classes.list} aria-label={t('title')}>
      {files.map((file) => (
        <FileRow key={file.name} file={file} actions={<Download file={file} />} />
      ))}
    </ul>
  );
}
