import { Anchor, Button, Group, Paper, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconChecks } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { NoticeItem } from '~/screens/schedules/notices/NoticeItem';
import { useMarkAllRead, useNotices } from '~/screens/schedules/notices/noticeQueries';
import { scheduleQuery } from '~/screens/schedules/scheduleQueries';
import { EmptyState } from '~/ui/EmptyState';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { type ListParams, useListParams } from '~/ui/listParams';
import { PageHeader } from '~/ui/PageHeader';
import { Pages } from '~/ui/Pages';

import classes from './Notices.module.css';

/** What schedules told, newest first. `?unread=1` leaves out what was read, `?schedule=ID` all but one schedule's. */
export default function Notices() {
  const { t } = useTranslation('notices');
  const params = useListParams();
  const schedule = params.filter('schedule');
  const unread = params.filter('unread') === '1';
  const notices = useNotices({ ...(schedule && { schedule_id: schedule }), unread, page: params.page, size: params.size });
  const { data } = notices;
  return (
    <>
      <PageHeader title={t('title')} description={t('lead')} actions={<ReadAll unread={data?.unread ?? 0} />} />
      <Stack maw={860}>
        <Group justify="space-between">
          <Which params={params} unread={unread} />
          {schedule && <OfSchedule id={schedule} onClear={() => params.setFilter('schedule', null)} />}
        </Group>
        {notices.error && !data && <ErrorPanel error={notices.error} onRetry={() => void notices.refetch()} />}
        {notices.isPending && <Skeleton height={240} />}
        {data?.total === 0 && (
          <Paper>
            <EmptyState title={t(unread ? 'empty.unreadTitle' : 'empty.title')} text={t(unread ? 'empty.unreadText' : 'empty.text')} action={<Webhook />} />
          </Paper>
        )}
        {data && data.total > 0 && (
          <div>
            <ul className={classes.list} aria-label={t('title')}>
              {data.items.map((notice) => (
                <NoticeItem key={notice.id} notice={notice} withSchedule={!schedule} />
              ))}
            </ul>
            <Pages params={params} total={data.total} pages={data.pages} />
          </div>
        )}
      </Stack>
    </>
  );
}

function ReadAll({ unread }: { unread: number }) {
  const { t } = useTranslation('notices');
  const mark = useMarkAllRead(() => notifications.show({ message: t('allRead') }));
  return (
    <Button variant="default" leftSection={<IconChecks size={16} aria-hidden />} loading={mark.isPending} disabled={unread === 0} onClick={() => mark.mutate()}>
      {t('markAll')}
    </Button>
  );
}

function Which({ params, unread }: { params: ListParams; unread: boolean }) {
  const { t } = useTranslation('notices');
  return (
    <SegmentedControl
      aria-label={t('which.label')}
      data={(['all', 'unread'] as const).map((value) => ({ value, label: t(`which.${value}`) }))}
      value={unread ? 'unread' : 'all'}
      onChange={(value) => params.setFilter('unread', value === 'unread' ? '1' : null)}
    />
  );
}

/** Of which schedule they are, and the way back to all. A schedule that was deleted has no name any more. */
function OfSchedule({ id, onClear }: { id: string; onClear: () => void }) {
  const { t } = useTranslation(['notices', 'common']);
  const schedule = useQuery(scheduleQuery(id));
  return (
    <Group gap="xs">
      <Text size="sm">{schedule.data ? t('of', { name: schedule.data.value.name }) : t('ofOne')}</Text>
      <Button size="compact-sm" variant="default" onClick={onClear}>
        {t('common:clear')}
      </Button>
    </Group>
  );
}

function Webhook() {
  const { t } = useTranslation('notices');
  return (
    <Anchor component={Link} to="/settings/webhook">
      {t('sendThem')}
    </Anchor>
  );
}
