import { Button, Select } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { useKindName, useTargetKinds } from '~/screens/agents/targets';
import { TargetTable } from '~/screens/agents/TargetTable';
import { type ListParams, useListParams } from '~/ui/listParams';
import { PageHeader } from '~/ui/PageHeader';
import { AllTargetsOnly, RoleGate } from '~/ui/RoleGate';

/** Everything that can be evaluated: agents first of all, and the other kinds of targets. */
export default function Targets() {
  const { t } = useTranslation('agents');
  const params = useListParams();
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('lead')}
        actions={
          <>
            <NewTargetButton />
            <NewAgentButton />
          </>
        }
      />
      <TargetTable label={t('title')} kind={null} filters={<KindFilter params={params} />} empty={{ title: t('empty.title'), text: t('empty.text'), action: <NewAgentButton /> }} />
    </>
  );
}

function KindFilter({ params }: { params: ListParams }) {
  const { t } = useTranslation(['agents', 'common']);
  const nameOf = useKindName();
  const kinds = useTargetKinds();
  return (
    <Select
      aria-label={t('filter.kind')}
      placeholder={t('filter.anyKind')}
      data={(kinds.data ?? []).map(({ kind }) => ({ value: kind, label: nameOf(kind) }))}
      value={params.filter('kind')}
      onChange={(kind) => params.setFilter('kind', kind)}
      clearable
      clearButtonProps={{ 'aria-label': t('common:clear') }}
      w={{ base: '100%', sm: 240 }}
    />
  );
}

function NewAgentButton() {
  const { t } = useTranslation('agents');
  return (
    <AllTargetsOnly>
      <RoleGate role="editor">
        {(gate) => (
          <Button component={Link} to="/agents/new?kind=agent" leftSection={<IconPlus size={16} aria-hidden />} {...gate}>
            {t('new')}
          </Button>
        )}
      </RoleGate>
    </AllTargetsOnly>
  );
}

function NewTargetButton() {
  const { t } = useTranslation('agents');
  return (
    <AllTargetsOnly>
      <RoleGate role="editor">
        {(gate) => (
          <Button component={Link} to="/agents/new" variant="default" {...gate}>
            {t('newTarget')}
          </Button>
        )}
      </RoleGate>
    </AllTargetsOnly>
  );
}
