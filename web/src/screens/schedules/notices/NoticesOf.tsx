import { Anchor, Group, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { noticesAddress } from '~/screens/schedules/addresses';
import { NoticeItem } from '~/screens/schedules/notices/NoticeItem';
import { useNotices } from '~/screens/schedules/notices/noticeQueries';
import { ErrorPanel } from '~/ui/ErrorPanel';

import classes from './Notices.module.css';

const SHOWN = 3;

/** The latest of what a schedule told. */
export function NoticesOf({ scheduleId, last }: { scheduleId: string; last: string | undefined }) {
  const { t } = useTranslation('notices');
  const id = useId();
  const notices = useNotices({ schedule_id: scheduleId, page: 1, size: SHOWN }, last);
  const { data } = notices;
  return (
    <section aria-labelledby={id}>
      <Group justify="space-between" align="baseline" mb="sm">
        <Title order={2} id={id}>
          {t('title')}
        </Title>
        {data && data.total > SHOWN && (
          <Anchor component={Link} to={noticesAddress(scheduleId)}>
            {t('all', { count: data.total })}
          </Anchor>
        )}
      </Group>
      {notices.error && !data && <ErrorPanel error={notices.error} onRetry={() => void notices.refetch()} />}
      {data?.total === 0 && <Text c="dimmed">{t('noneOf')}</Text>}
      {data && data.total > 0 && (
        <ul className={classes.list} aria-labelledby={id}>
          {data.items.map((notice) => (
            <NoticeItem key={notice.id} notice={notice} withSchedule={false} />
          ))}
        </ul>
      )}
    </section>
  );
}
