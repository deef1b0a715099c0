import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { newRunAddress } from '~/screens/agents/addresses';
import { isRemote, type TargetRecord } from '~/screens/agents/targets';
import { RoleGate } from '~/ui/RoleGate';

interface Props extends ButtonProps {
  target: Pick<TargetRecord, 'id' | 'kind'>;
  label?: string;
}

/** Leads to a new run of this target. One that runs elsewhere cannot be run from here, and says so. */
export function BeginEvaluation({ target: { id, kind }, label, ...button }: Props) {
  const { t } = useTranslation(['agents', 'remote']);
  const text = label ?? t('evaluations.new');
  if (isRemote(kind)) {
    return (
      <Tooltip label={t('remote:noEvaluation')}>
        <Button data-disabled aria-disabled {...button}>
          {text}
        </Button>
      </Tooltip>
    );
  }
  return (
    <RoleGate role="editor">
      {(gate) => (
        <Button component={Link} to={newRunAddress(id)} {...button} {...gate}>
          {text}
        </Button>
      )}
    </RoleGate>
  );
}
