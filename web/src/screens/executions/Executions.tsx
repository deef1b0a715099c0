import { useTranslation } from 'react-i18next';

import { ExecutionList } from '~/screens/executions/ExecutionList';
import { PageHeader } from '~/ui/PageHeader';

/** Every execution of the workspace. */
export default function Executions() {
  const { t } = useTranslation('executions');
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} />
      <ExecutionList />
    </>
  );
}
