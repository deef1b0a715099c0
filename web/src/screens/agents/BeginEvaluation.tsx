import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { newRunAddress } from '~/screens/agents/addresses';
import { RoleGate } from '~/ui/RoleGate';

/** What to do where a target has no run yet. */
export function BeginEvaluation({ targetId }: { targetId: string }) {
  const { t } = useTranslation('agents');
  return (
    <RoleGate role="editor">
      {(gate) => (
        <Button component={Link} to={newRunAddress(targetId)} {...gate}>
          {t('evaluations.new')}
        </Button>
      )}
    </RoleGate>
  );
}
