import { Paper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { CannotRuleOut } from '~/screens/runs/CannotRuleOut';
import { Narrowing } from '~/screens/runs/Narrowing';
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
            <CannotRuleOut run={run} />
          </Text>
        </div>
        <div className={classes.progress}>
          <RunProgress total={run.total} passed={progress.passed} failed={progress.failed} errors={progress.errors} />
        </div>
      </section>
      {summary && <Narrowing run={run} />}
      <RunFigures run={run} />
    </Paper>
  );
}
