import { Indicator } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { useUnreadCount } from '~/screens/schedules/notices/noticeQueries';
import { useFormat } from '~/ui/format';

import classes from './Notices.module.css';

const MOST = 99;

/** The way to the notices, with how many the reader has not read. */
export function NoticeBell() {
  const { t } = useTranslation('notices');
  const format = useFormat();
  const count = useUnreadCount();
  const shown = count > MOST ? `${format.number(MOST)}+` : format.number(count);
  return (
    <Indicator label={shown} disabled={count === 0} size={18} offset={6} color="var(--aloi-gilt)" styles={{ indicator: { color: 'var(--aloi-ink)', fontWeight: 700, pointerEvents: 'none' } }} inline>
      <Link to="/notices" className={classes.bell} aria-label={count === 0 ? t('title') : t('badge', { count })} title={t('title')}>
        <IconBell size={20} stroke={1.6} aria-hidden />
      </Link>
    </Indicator>
  );
}
