import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { isRemote, useThisTarget } from '~/screens/agents/targets';
import { ExecutionList } from '~/screens/executions/ExecutionList';
import { SendTraces } from '~/screens/remote/SendTraces';

/** The executions of this target. */
export default function TargetExecutions() {
  const { t } = useTranslation(['agents', 'remote']);
  const { id, name, kind } = useThisTarget().value;
  if (isRemote(kind)) return <ExecutionList targetId={id} empty={{ title: t('remote:emptyTitle'), text: t('remote:empty') }} action={<SendTraces target={name} />} />;
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
