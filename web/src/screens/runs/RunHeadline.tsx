import { Paper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { moreCases, NARROW, wholePercent } from '~/screens/runs/meaning';
import { RunFigures } from '~/screens/runs/RunFigures';
import type { Run } from '~/screens/runs/runQueries';
import { useFormat } from '~/ui/format';
import { RateInterval } from '~/ui/RateInterval';
import { RunProgress } from '~/ui/RunProgress';

import classes from './RunHeadline.module.css';

/** The rate with its interval and what it means, how far the run is, and the figures. */
export function RunHeadline({ run }: { run: Run }) {
  const { t } = useTranslation('runs');
  const format = useFormat();
  const { progress, rate, interval, summary } = run;
  return (
    <Paper className={classes.card}>
      <section className={classes.lead} aria-label={t('headline')}>
        <div className={classes.rate}>{rate === null ? '–' : format.percent(rate)}</div>
        <div className={classes.words}>
          <RateInterval passed={progress.passed} failed={progress.failed} rate={rate} interval={interval} judgeNoise={summary?.judge_noise} />
          <Text size="sm" c="dimmed">
            <Meaning run={run} />
          </Text>
        </div>
        <div className={classes.progress}>
          <RunProgress total={run.total} passed={progress.passed} failed={progress.failed} errors={progress.errors} />
        </div>
      </section>
      <RunFigures run={run} />
    </Paper>
  );
}

/** What the interval says, and how many more cases would narrow it. */
function Meaning({ run: { rate, interval, summary } }: { run: Run }) {
  const { t } = useTranslation('runs');
  if (summary === null) return t('meaning.soFar');
  if (rate === null) return t('meaning.nothing');
  const [low, high] = interval.map(wholePercent);
  const more = moreCases(summary);
  return [
    summary.judge_noise ? t('meaning.rangeNoise', { low, high }) : t('meaning.range', { low, high }),
    summary.trials > 1 ? t('meaning.trials', { count: summary.trials }) : null,
    more > 0 ? t('meaning.more', { count: more, points: wholePercent(NARROW) }) : null,
  ]
    .filter(Boolean)
    .join(' ');
}
