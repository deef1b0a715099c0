import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { ExecutionList } from '~/screens/executions/ExecutionList';
import { PageHeader } from '~/ui/PageHeader';

/** Every execution of the workspace. */
export default function Executions() {
  const { t } = useTranslation('executions');
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} />
      <ExecutionList
        action={
          <Button component={Link} to="/agents/new?kind=remote" variant="default">
            {t('empty.remote')}
          </Button>
        }
      />
    </>
  );
}
