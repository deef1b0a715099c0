import { useTranslation } from 'react-i18next';

import { isLive, type Run } from '~/screens/runs/runQueries';
import { useFormat } from '~/ui/format';

import classes from './Schedules.module.css';

const SHOWN = 10;

/** The rates of the last runs as bars, the newest to the right. A run without a rate is a hatched stub. */
export function RecentRates({ runs }: { runs: readonly Run[] }) {
  const { t } = useTranslation('schedules');
  const format = useFormat();
  const shown = runs.filter((run) => !isLive(run)).slice(0, SHOWN).reverse();
  if (shown.length === 0) return '–';
  const rates = shown.map(({ rate }) => (rate === null ? t('recent.none') : format.percent(rate)));
  return (
    <span className={classes.bars} role="img" aria-label={t('recent.label', { count: shown.length, rates: rates.join(', ') })}>
      {shown.map((run, index) => (
        <span key={run.id} className={classes.bar} data-none={run.rate === null || undefined} title={`${format.dateTime(run.created_at)} · ${rates[index]}`}>
          <span style={{ height: `${Math.max(run.rate ?? 1, 0.04) * 100}%` }} />
        </span>
      ))}
    </span>
  );
}
