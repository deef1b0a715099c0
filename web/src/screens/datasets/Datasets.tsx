import { useTranslation } from 'react-i18next';

import { DatasetList } from '~/screens/datasets/DatasetList';
import { NewDatasetButton } from '~/screens/datasets/NewDatasetButton';
import { PageHeader } from '~/ui/PageHeader';

/** The datasets of the workspace. */
export default function Datasets() {
  const { t } = useTranslation('datasets');
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} actions={<NewDatasetButton />} />
      <DatasetList />
    </>
  );
}
