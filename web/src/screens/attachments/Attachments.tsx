import { useTranslation } from 'react-i18next';

import { FileList } from '~/screens/attachments/FileList';
import { PageHeader } from '~/ui/PageHeader';

/** The files of the workspace. */
export default function Attachments() {
  const { t } = useTranslation(['attachments', 'datasets']);
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} crumbs={[{ label: t('datasets:title'), to: '/datasets' }]} />
      <FileList />
    </>
  );
}
