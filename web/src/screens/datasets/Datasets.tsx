import { Button } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { DatasetList } from '~/screens/datasets/DatasetList';
import { NewDatasetButton } from '~/screens/datasets/NewDatasetButton';
import { PageHeader } from '~/ui/PageHeader';

/** The datasets of the workspace. */
export default function Datasets() {
  const { t } = useTranslation('datasets');
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} actions={<Actions />} />
      <DatasetList />
    </>
  );
}

function Actions() {
  const { t } = useTranslation('attachments');
  return (
    <>
      <Button component={Link} to="/attachments" variant="default" leftSection={<IconPaperclip size={16} aria-hidden />}>
        {t('manage')}
      </Button>
      <NewDatasetButton />
    </>
  );
}
