import { Progress, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { OnlineRule } from '~/screens/online/onlineQueries';
import { useFormat } from '~/ui/format';

const WHOLE = 100;

/** What of a rule's budget is used today (UTC), and what was left out for it. */
export function BudgetUse({ rule }: { rule: OnlineRule }) {
  const { t } = useTranslation('online');
  const format = useFormat();
  const { today, most_per_day: most, cost_per_day: mostCost, waiting } = rule;
  const share = Math.max(today.graded / most, mostCost === null ? 0 : (today.cost ?? 0) / mostCost);
  const money = mostCost === null ? today.cost !== null && format.money(today.cost) : t('budget.cost', { cost: format.money(today.cost ?? 0), most: format.money(mostCost) });
  return (
    <div style={{ minWidth: 140 }}>
      <Text size="sm" component="div">
        {[t('budget.graded', { graded: format.number(today.graded), most: format.number(most) }), money].filter(Boolean).join(' · ')}
      </Text>
      <Progress value={Math.min(share, 1) * WHOLE} size="xs" my={4} color={share >= 1 ? 'orange' : undefined} aria-label={t('budget.label')} />
      {today.skipped > 0 && (
        <Text size="sm" c="var(--aloi-error)">
          {t('budget.skipped', { count: today.skipped })}
        </Text>
      )}
      {waiting > 0 && (
        <Text size="sm" c="dimmed">
          {t('budget.waiting', { count: waiting })}
        </Text>
      )}
    </div>
  );
}
