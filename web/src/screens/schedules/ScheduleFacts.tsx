import { Anchor, Paper } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { NextFiring } from '~/screens/schedules/NextFiring';
import { useRecurrenceWords } from '~/screens/schedules/recurrenceWords';
import type { Schedule } from '~/screens/schedules/scheduleQueries';
import { DateTime } from '~/ui/Values';

import classes from './Schedules.module.css';

/** What a schedule runs, and when. */
export function ScheduleFacts({ schedule }: { schedule: Schedule }) {
  const { t } = useTranslation('schedules');
  const words = useRecurrenceWords();
  const { recurrence, zone, start, end } = schedule;
  return (
    <Paper p="lg">
      <dl className={classes.facts}>
        <Fact name={t('column.when')}>
          <span className={classes.words}>{words(schedule)}</span>
          {recurrence.kind === 'cron' && <code className={classes.there}>{recurrence.expression}</code>}
        </Fact>
        <Fact name={t('column.next')}>
          <NextFiring schedule={schedule} />
        </Fact>
        <Fact name={t('target')}>
          <Anchor component={Link} to={`/agents/${schedule.target_id}`}>
            {schedule.target_name}
          </Anchor>
          <span className={classes.there}>{t('facts.active')}</span>
        </Fact>
        <Fact name={t('dataset')}>
          <Anchor component={Link} to={`/datasets/${schedule.dataset_id}`}>
            {schedule.dataset_name}
          </Anchor>
          <span className={classes.there}>{t('facts.asIs')}</span>
        </Fact>
        <Fact name={t('form.zone')}>{zone}</Fact>
        <Fact name={t('form.start')}>
          <DateTime time={start} />
        </Fact>
        <Fact name={t('form.end')}>{end === null ? t('facts.noEnd') : <DateTime time={end} />}</Fact>
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
