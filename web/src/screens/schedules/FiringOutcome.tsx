import { Anchor, Text } from '@mantine/core';
import { IconAlertTriangle, IconPlayerSkipForward } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { Run } from '~/screens/runs/runQueries';
import { RunState } from '~/screens/runs/RunState';
import type { Firing } from '~/screens/schedules/scheduleQueries';
import { useFormat } from '~/ui/format';
import { RateInterval } from '~/ui/RateInterval';
import { DateTime } from '~/ui/Values';

import classes from './Schedules.module.css';

interface Props {
  firing: Firing;
  /** The run that it started, where it is known. */
  run: Run | undefined;
}

/** What came of a firing: the run, with where it stands; or why there is none. */
export function FiringOutcome({ firing, run }: Props) {
  const { t } = useTranslation('schedules');
  const format = useFormat();
  const { run_id, due_at } = firing;
  if (firing.status !== 'started') return <NoRun firing={firing} />;
  if (run_id === null) return <Deleted />;
  return (
    <span className={classes.outcome}>
      <Anchor component={Link} to={`/runs/${run_id}`} size="sm" aria-label={t('firing.runOf', { time: format.dateTime(due_at) })}>
        {t('firing.run')}
      </Anchor>
      {run && <RunState run={run} />}
    </span>
  );
}

/** The last firing in few words: when, as the way to its run, and the rate; or where the run stands, or why there is none. */
export function LastFiring({ firing, run }: Props) {
  const { run_id, fired_at, status } = firing;
  const time = <DateTime time={fired_at} />;
  return (
    <div>
      <Text size="sm" component="div" c={run_id ? undefined : 'dimmed'}>
        {run_id ? (
          <Anchor component={Link} to={`/runs/${run_id}`} inherit>
            {time}
          </Anchor>
        ) : (
          time
        )}
      </Text>
      {status !== 'started' ? <NoRun firing={firing} /> : run_id === null ? <Deleted /> : run && (run.status === 'completed' ? <RunRate run={run} /> : <RunState run={run} />)}
    </div>
  );
}

/** The rate of a run with its interval, or that nothing was decided. */
export function RunRate({ run: { progress, rate, interval, summary } }: { run: Run }) {
  return <RateInterval compact passed={progress.passed} failed={progress.failed} rate={rate} interval={interval} judgeNoise={summary?.judge_noise} />;
}

function Deleted() {
  const { t } = useTranslation('schedules');
  return (
    <Text size="sm" c="dimmed" component="span">
      {t('firing.deleted')}
    </Text>
  );
}

function NoRun({ firing: { status, reason } }: { firing: Firing }) {
  const { t } = useTranslation('schedules');
  const failed = status === 'failed';
  const Icon = failed ? IconAlertTriangle : IconPlayerSkipForward;
  return (
    <span className={classes.reason}>
      <span className={classes.state} data-failed={failed || undefined}>
        <Icon size={16} aria-hidden />
        {t(failed ? 'firing.failed' : 'firing.skipped')}
      </span>
      <Text size="sm" c="dimmed" component="span" lang={failed ? 'en' : undefined} lineClamp={3} title={reason ?? undefined}>
        {failed ? reason : t('firing.skippedWhy')}
      </Text>
    </span>
  );
}
