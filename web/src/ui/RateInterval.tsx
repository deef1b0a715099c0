import { useTranslation } from 'react-i18next';

import { useFormat } from '~/ui/format';

import classes from './RateInterval.module.css';

interface Props {
  passed: number;
  failed: number;
  /** Share that passed, 0..1; null when nothing was decided. */
  rate: number | null;
  /** The 95 % interval of the rate, `[low, high]` in 0..1. */
  interval: readonly number[];
  /** Whether the interval takes in that judges disagree with themselves. */
  judgeNoise?: boolean;
  /** Without the words, for narrow columns; they stay for screen readers. */
  compact?: boolean;
}

/** "8/10 passed (95% CI 49–94%)", with "incl. judge noise" when so; `low` and `high` in 0..1. */
export function useRateText(): (figures: { passed: number; failed: number; low: number; high: number; judgeNoise: boolean }) => string {
  const { t } = useTranslation('ui');
  const format = useFormat();
  return ({ passed, failed, low, high, judgeNoise }) => {
    const words = t('rate.text', { passed: format.number(passed), decided: format.number(passed + failed), low: Math.round(low * 100), high: format.percent(high) });
    return judgeNoise ? `${words} ${t('rate.judgeNoise')}` : words;
  };
}

/** "8/10 passed (95% CI 49–94%)" with the interval drawn: a band from low to high, a mark at the rate. */
export function RateInterval({ passed, failed, rate, interval, judgeNoise = false, compact = false }: Props) {
  const { t } = useTranslation('ui');
  const format = useFormat();
  const textOf = useRateText();
  const [low = 0, high = 1] = interval;
  if (rate === null) return <span className={classes.none}>{t('rate.none')}</span>;
  const text = textOf({ passed, failed, low, high, judgeNoise });
  return (
    <span className={classes.rate} data-compact={compact || undefined} title={compact ? text : undefined}>
      {compact ? (
        <>
          <span className={classes.share} aria-hidden>
            {format.percent(rate)}
          </span>
          <span className="sr-only">{text}</span>
        </>
      ) : (
        <span>{text}</span>
      )}
      <IntervalBar low={low} high={high} rate={rate} />
    </span>
  );
}

/** An interval drawn from 0 to 1: a band from low to high, a mark at the rate. The words stand beside it. */
export function IntervalBar({ low, high, rate }: { low: number; high: number; rate: number }) {
  return (
    <span className={classes.bar} aria-hidden>
      <span className={classes.band} style={{ left: `${low * 100}%`, width: `${(high - low) * 100}%` }} />
      <span className={classes.mark} style={{ left: `${rate * 100}%` }} />
    </span>
  );
}
