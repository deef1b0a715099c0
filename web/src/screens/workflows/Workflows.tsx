import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { TargetTable } from '~/screens/agents/TargetTable';
import { PageHeader } from '~/ui/PageHeader';
import { AllTargetsOnly, RoleGate } from '~/ui/RoleGate';

/** The targets that are workflows. */
export default function Workflows() {
  const { t } = useTranslation('workflows');
  const begin = (
    <AllTargetsOnly>
      <RoleGate role="editor">
        {(gate) => (
          <Button component={Link} to="/agents/new?kind=workflow" leftSection={<IconPlus size={16} aria-hidden />} {...gate}>
            {t('new')}
          </Button>
        )}
      </RoleGate>
    </AllTargetsOnly>
  );
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} actions={begin} />
      <TargetTable label={t('title')} kind="workflow" empty={{ title: t('empty.title'), text: t('empty.text'), action: begin }} />
    </>
  );
}
