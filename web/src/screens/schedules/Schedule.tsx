import { Anchor, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';

import type { Tagged } from '~/api/tagged';
import { RatePlot } from '~/screens/agents/rates/RatePlot';
import { ratePoints } from '~/screens/agents/rates/rateSeries';
import { schedulesAddress } from '~/screens/schedules/addresses';
import { FiringList } from '~/screens/schedules/FiringList';
import { NoticesOf } from '~/screens/schedules/notices/NoticesOf';
import { ScheduleActions } from '~/screens/schedules/ScheduleActions';
import { ScheduleDialog } from '~/screens/schedules/ScheduleDialog';
import { ScheduleFacts } from '~/screens/schedules/ScheduleFacts';
import { type Schedule as ScheduleValue, useSchedule, useScheduledRuns } from '~/screens/schedules/scheduleQueries';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useListParams } from '~/ui/listParams';
import { PageHeader } from '~/ui/PageHeader';

/** One schedule: when it fires, how its runs went, what came of each firing, and what it told. */
export default function Schedule() {
  const { t } = useTranslation('schedules');
  const { id = '' } = useParams();
  const schedule = useSchedule(id);
  if (schedule.data) return <Loaded schedule={schedule.data} />;
  if (schedule.error) {
    return (
      <>
        <PageHeader title={t('one')} crumbs={[{ label: t('title'), to: '/schedules' }]} />
        <ErrorPanel error={schedule.error} onRetry={() => void schedule.refetch()} />
      </>
    );
  }
  return <Skeleton height={360} />;
}

function Loaded({ schedule }: { schedule: Tagged<ScheduleValue> }) {
  const { t } = useTranslation(['schedules', 'common']);
  const navigate = useNavigate();
  const params = useListParams();
  const { value } = schedule;
  const { id, name, target_id, target_name, last } = value;
  const runs = useScheduledRuns({ schedule_id: id }, last?.id ?? '', last !== null);
  const items = (runs.data?.items ?? []).filter(({ schedule_id }) => schedule_id === id);
  const points = ratePoints(items);
  const here = schedulesAddress(target_id);
  const closeForm = () => params.setFilter('edit', null);
  const saved = (changed: ScheduleValue) => {
    notifications.show({ message: t('form.saved', { name: changed.name }) });
    closeForm();
  };
  return (
    <>
      <PageHeader
        title={name}
        crumbs={[
          { label: target_name, to: `/agents/${target_id}` },
          { label: t('title'), to: here },
        ]}
        actions={<ScheduleActions schedule={value} wide onEdit={() => params.setFilter('edit', '1')} onGone={() => void navigate(here)} />}
      />
      <Stack gap="xl">
        <ScheduleFacts schedule={value} />
        {points.length > 0 && (
          <Part title={t('rates.title')} text={t('rates.text')}>
            <Paper p="md">
              <RatePlot label={t('rates.plot', { name })} points={points} joined />
            </Paper>
          </Part>
        )}
        <NoticesOf scheduleId={id} last={last?.id} />
        <Part title={t('firing.title')} text={t('firing.text')}>
          <FiringList schedule={value} runs={items} params={params} />
        </Part>
        <Text size="sm" c="dimmed">
          {t('facts.by', { name: value.created_by })}
          {' · '}
          <Anchor component={Link} to={`/runs?${new URLSearchParams({ target: target_id, dataset: value.dataset_id }).toString()}`} inherit>
            {t('facts.allRuns')}
          </Anchor>
        </Text>
      </Stack>
      {params.filter('edit') === '1' && <ScheduleDialog editing={schedule} onClose={closeForm} onSaved={saved} />}
    </>
  );
}

function Part({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id}>
        {title}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {text}
      </Text>
      {children}
    </section>
  );
}
