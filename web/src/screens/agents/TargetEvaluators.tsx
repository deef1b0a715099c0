import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { EvaluationViews } from '~/screens/agents/EvaluationViews';
import { useThisTarget } from '~/screens/agents/targets';
import { EvaluatorList, NewEvaluatorButton } from '~/screens/evaluators/EvaluatorList';

/** The saved evaluators, which all datasets share. */
export default function TargetEvaluators() {
  const { t } = useTranslation('agents');
  const { id } = useThisTarget().value;
  return (
    <>
      <EvaluationViews targetId={id} action={<NewEvaluatorButton />} />
      <Text c="dimmed" mb="md">
        {t('evaluations.evaluatorsLead')}
      </Text>
      <EvaluatorList />
    </>
  );
}
