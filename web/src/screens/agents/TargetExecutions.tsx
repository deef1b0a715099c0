import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { useThisTarget } from '~/screens/agents/targets';
import { ExecutionList } from '~/screens/executions/ExecutionList';

/** The executions of this target. */
export default function TargetExecutions() {
  const { t } = useTranslation('agents');
  const { id } = useThisTarget().value;
  return (
    <ExecutionList
      targetId={id}
      action={
        <Button component={Link} to={`/agents/${id}/runner`}>
          {t('tab.runner')}
        </Button>
      }
    />
  );
}
