import { Anchor, Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { Binding } from '~/screens/evaluators/specs';
import { BudgetUse } from '~/screens/online/BudgetUse';
import type { OnlineRule } from '~/screens/online/onlineQueries';
import { percents } from '~/screens/online/ruleDraft';
import { useFormat } from '~/ui/format';

import classes from './RuleFacts.module.css';

/** What a rule grades, with what, within which budget, and where failing executions go. */
export function RuleFacts({ rule }: { rule: OnlineRule }) {
  const { t } = useTranslation(['online', 'common']);
  const { drafts_dataset_id: drafts, drafts_dataset_name: draftsName, judge_samples: samples } = rule;
  return (
    <Paper p="md" mb="lg">
      <dl className={classes.facts}>
        <Fact name={t('facts.evaluators')}>
          {rule.evaluators.map((binding, index) => (
            <span key={binding.name}>
              {index > 0 && ', '}
              <Evaluator binding={binding} />
            </span>
          ))}
          {samples > 1 && ` · ${t('facts.samples', { count: samples })}`}
        </Fact>
        <Fact name={t('facts.which')}>{useWhich(rule)}</Fact>
        <Fact name={t('facts.budget')}>
          <BudgetUse rule={rule} />
        </Fact>
        <Fact name={t('facts.drafts')}>
          {drafts ? (
            <Anchor component={Link} to={`/datasets/${drafts}`}>
              {draftsName}
            </Anchor>
          ) : (
            t('facts.noDrafts')
          )}
        </Fact>
      </dl>
    </Paper>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Evaluator({ binding: { name, evaluator_id } }: { binding: Binding }) {
  if (!evaluator_id) return name;
  return (
    <Anchor component={Link} to={`/evaluators/${evaluator_id}`}>
      {name}
    </Anchor>
  );
}

/** The filters in words. */
function useWhich({ share, filters }: OnlineRule): string {
  const { t, i18n } = useTranslation('online');
  const format = useFormat();
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 4 }).format(percents(share) / 100);
  return [
    share === 1 ? t('which.all') : t('which.share', { share: percent }),
    filters.status === 'ok' && t('which.answered'),
    filters.text !== null && t('which.text', { text: filters.text }),
    filters.version !== null && t('which.version', { number: filters.version }),
    filters.min_seconds !== null && t('which.minSeconds', { time: format.duration(filters.min_seconds) }),
  ]
    .filter(Boolean)
    .join(' · ');
}
