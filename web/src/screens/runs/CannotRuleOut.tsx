import { useTranslation } from 'react-i18next';

import { meaningOf, wholePercent } from '~/screens/runs/meaning';
import type { Run } from '~/screens/runs/runQueries';

/** What a run cannot rule out, in words. */
export function CannotRuleOut({ run: { rate, interval, summary } }: { run: Run }) {
  const { t } = useTranslation('runs');
  if (summary === null) return t('meaning.soFar');
  if (rate === null) return t('meaning.nothing');
  const [low, high] = interval.map(wholePercent);
  return [
    t(`meaning.${meaningOf(summary)}`, { low, high }),
    summary.judge_noise ? t('meaning.noise') : null,
    summary.trials > 1 ? t('meaning.trials', { count: summary.trials }) : null,
    summary.errors > 0 ? t('meaning.errors', { count: summary.errors }) : null,
  ]
    .filter(Boolean)
    .join(' ');
}
