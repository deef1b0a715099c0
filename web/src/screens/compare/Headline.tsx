import { Paper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { conclusion, midP, MIN_CHANGES } from '~/screens/compare/conclusion';
import { pText, signedPoints } from '~/screens/compare/figuresText';
import { PlainWords } from '~/screens/compare/PlainWords';

import classes from './Compare.module.css';

/** The difference with its interval, and the sentence that it means. */
export function Headline({ comparison }: { comparison: Schemas['Comparison'] }) {
  const { t, i18n } = useTranslation('compare');
  const { figures, newly_in_error } = comparison;
  const [low, high] = figures.interval;
  const p = pText(midP(figures.test), i18n.language);
  const points = (share: number) => signedPoints(share, i18n.language);
  const bounds = { low: points(low), high: points(high) };
  return (
    <Paper className={classes.headline}>
      <section aria-label={t('headline')}>
        {figures.difference !== null && (
          <div className={classes.difference}>
            <span className={classes.big}>{points(figures.difference)}</span>
            <div className={classes.interval}>
              <div>{figures.judge_noise ? t('intervalNoise', bounds) : t('interval', bounds)}</div>
              <Axis difference={figures.difference} low={low} high={high} />
            </div>
          </div>
        )}
        <Text className={classes.conclusion}>{t(`conclusion.${conclusion(figures)}`, { p, count: MIN_CHANGES })}</Text>
        <Text size="sm" c="dimmed">
          {t('better', { count: figures.better })}, {t('worse', { count: figures.worse })} {t('compared', { count: figures.compared })}
          {newly_in_error > 0 && ` · ${t('newlyInError', { count: newly_in_error })}`}
          <Scores scores={figures.scores} />
        </Text>
        <PlainWords comparison={comparison} />
      </section>
    </Paper>
  );
}

/** The mean difference of the scores, with its interval cut to where scores lie. */
function Scores({ scores }: { scores: Schemas['PairedT'] | null }) {
  const { t, i18n } = useTranslation('compare');
  const [mean, , , , interval] = scores ?? [];
  if (typeof mean !== 'number') return null;
  const show = (value: number) => new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 2, signDisplay: 'exceptZero' }).format(value).replace('-', '−');
  const text = interval ? t('scoresInterval', { mean: show(mean), low: show(Math.max(-1, interval[0])), high: show(Math.min(1, interval[1])) }) : t('scores', { mean: show(mean) });
  return ` · ${text}`;
}

/** From -100 to +100 points: where the difference lies, and its interval; zero is marked. */
function Axis({ difference, low, high }: { difference: number; low: number; high: number }) {
  const at = (share: number) => 50 + share * 50;
  return (
    <svg className={classes.axis} viewBox="0 0 100 12" preserveAspectRatio="none" aria-hidden>
      <rect className={classes.track} x="0" y="5" width="100" height="2" />
      <rect className={classes.band} x={at(low)} y="3" width={Math.max(at(high) - at(low), 0.4)} height="6" />
      <rect className={classes.zero} x="49.8" y="0" width="0.4" height="12" />
      <rect className={classes.mark} x={at(difference) - 0.4} y="1" width="0.8" height="10" />
    </svg>
  );
}
