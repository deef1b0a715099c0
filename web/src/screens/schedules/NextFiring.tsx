import { IconCalendarEvent, IconFlag, IconPlayerPause } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import type { Schedule } from '~/screens/schedules/scheduleQueries';
import { isSameZone, readersZone, zonedShort, zonedText } from '~/screens/schedules/zones';

import classes from './Schedules.module.css';

/** When a schedule fires next, in the reader's zone; or that it is paused, or over. */
export function NextFiring({ schedule: { next_at, paused, zone } }: { schedule: Schedule }) {
  const { t, i18n } = useTranslation('schedules');
  if (next_at === null) {
    const Icon = paused ? IconPlayerPause : IconFlag;
    return (
      <span className={classes.state}>
        <Icon size={16} aria-hidden />
        {t(paused ? 'state.paused' : 'state.over')}
      </span>
    );
  }
  const reader = readersZone();
  return (
    <span className={classes.next}>
      <IconCalendarEvent size={16} aria-hidden />
      <span>
        <time dateTime={next_at}>{zonedText(i18n.language, next_at, reader)}</time>
        {!isSameZone(zone, reader) && <span className={classes.there}>{t('preview.there', { time: zonedShort(i18n.language, next_at, zone), zone })}</span>}
      </span>
    </span>
  );
}
