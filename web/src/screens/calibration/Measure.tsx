import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { wholePercent } from '~/screens/runs/meaning';
import { useFormat } from '~/ui/format';
import { IntervalBar } from '~/ui/RateInterval';

import classes from './Calibration.module.css';

interface Props {
  name: string;
  /** What it is a share of, in words with the counts. */
  text: string;
  measure: Schemas['RateWithInterval'];
}

/** A share with its interval drawn; where nothing was counted, that. */
export function Measure({ name, text, measure: { rate, interval, total } }: Props) {
  const { t } = useTranslation('calibration');
  const format = useFormat();
  const [low = 0, high = 1] = interval;
  return (
    <div>
      <div className={classes.name}>{name}</div>
      <div className={classes.value}>
        {rate === null ? '–' : format.percent(rate)}
        {rate !== null && <span className={classes.more}>{t('interval', { low: wholePercent(low), high: wholePercent(high) })}</span>}
      </div>
      {rate !== null && <IntervalBar low={low} high={high} rate={rate} />}
      <div className={classes.text}>{total === 0 ? t('nothing') : text}</div>
    </div>
  );
}
