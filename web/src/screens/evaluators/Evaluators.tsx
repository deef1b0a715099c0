import { useTranslation } from 'react-i18next';

import { EvaluatorList, NewEvaluatorButton } from '~/screens/evaluators/EvaluatorList';
import { PageHeader } from '~/ui/PageHeader';

/** The saved evaluators of the workspace. */
export default function Evaluators() {
  const { t } = useTranslation('evaluators');
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} actions={<NewEvaluatorButton />} />
      <EvaluatorList />
    </>
  );
}
