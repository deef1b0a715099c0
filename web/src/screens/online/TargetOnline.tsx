import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { EvaluationViews } from '~/screens/agents/EvaluationViews';
import { useThisTarget } from '~/screens/agents/targets';
import { ruleAddress } from '~/screens/online/addresses';
import { BudgetUse } from '~/screens/online/BudgetUse';
import { type OnlineRule, useOnlineRules } from '~/screens/online/onlineQueries';
import { RuleDialog } from '~/screens/online/RuleDialog';
import { RuleSwitch } from '~/screens/online/RuleSwitch';
import { type Column, DataTable } from '~/ui/DataTable';
import { useListParams } from '~/ui/listParams';
import { RateInterval } from '~/ui/RateInterval';
import { RoleGate } from '~/ui/RoleGate';

/** The rules that grade what this target does in production. */
export default function TargetOnline() {
  const { t } = useTranslation('online');
  const { id: targetId } = useThisTarget().value;
  const navigate = useNavigate();
  const params = useListParams();
  const rules = useOnlineRules(targetId, { q: params.q, page: params.page, size: params.size });
  const button = (
    <RoleGate role="editor">
      {(gate) => (
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => params.setFilter('new', '1')} {...gate}>
          {t('list.new')}
        </Button>
      )}
    </RoleGate>
  );
  const made = ({ id, name }: OnlineRule) => {
    notifications.show({ message: t('form.created', { name }) });
    void navigate(ruleAddress(targetId, id));
  };
  return (
    <>
      <EvaluationViews targetId={targetId} action={rules.data?.total === 0 && !params.q ? undefined : button} />
      <Text c="dimmed" mb="md" maw="75ch">
        {t('list.lead')}
      </Text>
      <DataTable
        label={t('list.title')}
        query={rules}
        params={params}
        columns={useColumns()}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ruleAddress(targetId, id)}
        empty={{ title: t('list.emptyTitle'), text: t('list.emptyText'), action: button }}
      />
      {params.filter('new') !== null && <RuleDialog targetId={targetId} onClose={() => params.setFilter('new', null)} onSaved={made} />}
    </>
  );
}

function useColumns(): Column<OnlineRule>[] {
  const { t } = useTranslation('online');
  return [
    { key: 'name', header: t('list.name'), width: '30%', cell: ({ name }) => name, detail: (rule) => <Evaluators rule={rule} /> },
    { key: 'recent', header: t('list.recent'), cell: ({ recent }) => recent && <RateInterval passed={recent.passed} failed={recent.failed} rate={recent.rate} interval={recent.interval} judgeNoise={recent.judge_noise} /> },
    { key: 'budget', header: t('list.budget'), cell: (rule) => <BudgetUse rule={rule} /> },
    { key: 'enabled', header: t('list.state'), width: '1px', cell: (rule) => <RuleSwitch rule={rule} /> },
  ];
}

function Evaluators({ rule }: { rule: OnlineRule }) {
  return (
    <Text size="sm" c="dimmed" lineClamp={2}>
      {rule.evaluators.map(({ name }) => name).join(', ')}
    </Text>
  );
}
