import { Anchor, Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconHelpCircle, IconTrendingDown, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { DeliveryState } from '~/screens/schedules/notices/DeliveryState';
import { comparisonAddress, type Notice, useMarkRead, useTold } from '~/screens/schedules/notices/noticeQueries';
import { useNoticeText } from '~/screens/schedules/notices/noticeText';
import { DateTime } from '~/ui/Values';

import classes from './Notices.module.css';

const SIGNS = { regression: IconTrendingDown, errors: IconAlertTriangle, nothing_decided: IconHelpCircle, failed: IconX };
const TONES = { regression: 'fail', errors: 'error', nothing_decided: 'error', failed: 'fail' };

/** One notice: what it is about, what happened, and the way to the run. Going there marks it as read. */
export function NoticeItem({ notice, withSchedule }: { notice: Notice; withSchedule: boolean }) {
  const { t } = useTranslation('notices');
  const mark = useMarkRead();
  const told = useTold(notice);
  const words = useNoticeText()(notice, told);
  const { id, kind, at, schedule_id, schedule_name, run_id, read, delivery } = notice;
  const Sign = SIGNS[kind];
  const readIt = () => {
    if (!read) mark.mutate(id);
  };
  return (
    <li className={classes.notice} data-unread={!read || undefined}>
      <span className={classes.sign} data-tone={TONES[kind]}>
        <Sign size={20} aria-hidden />
      </span>
      <h3 className={classes.title}>
        {t(`kind.${kind}.title`)}
        {!read && <span className="sr-only">{t('unread')}</span>}
      </h3>
      {!read && (
        <Button className={classes.read} size="compact-sm" variant="subtle" onClick={readIt} loading={mark.isPending}>
          {t('markRead')}
        </Button>
      )}
      <div className={classes.body}>
        <Text size="sm">
          <span lang={words.lang}>{words.text}</span>
        </Text>
        <Text size="sm" c="dimmed">
          {t(`kind.${kind}.help`)}
        </Text>
        <div className={classes.links}>
          {run_id && (
            <Anchor component={Link} to={`/runs/${run_id}`} onClick={readIt} inherit>
              {t('openRun')}
            </Anchor>
          )}
          {run_id && (kind === 'regression' || kind === 'errors') && (
            <Anchor component={Link} to={comparisonAddress(run_id, told.before)} onClick={readIt} inherit>
              {t('compare')}
            </Anchor>
          )}
          {withSchedule && (
            <Anchor component={Link} to={`/schedules/${schedule_id}`} onClick={readIt} inherit>
              {t('openSchedule', { name: schedule_name })}
            </Anchor>
          )}
        </div>
        <div className={classes.facts}>
          <DateTime time={at} />
          <DeliveryState delivery={delivery} />
        </div>
      </div>
    </li>
  );
}
