import { Button, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { LastFiring } from '~/screens/schedules/FiringOutcome';
import { NextFiring } from '~/screens/schedules/NextFiring';
import { useRecurrenceWords } from '~/screens/schedules/recurrenceWords';
import { RecentRates } from '~/screens/schedules/RecentRates';
import { ScheduleActions } from '~/screens/schedules/ScheduleActions';
import { ScheduleDialog } from '~/screens/schedules/ScheduleDialog';
import { bySchedule, type Schedule, scheduleQuery, useScheduledRuns, useSchedules } from '~/screens/schedules/scheduleQueries';
import { type Column, DataTable } from '~/ui/DataTable';
import { type ListParams, useListParams } from '~/ui/listParams';
import { RoleGate } from '~/ui/RoleGate';

import classes from './Schedules.module.css';

interface Props {
  /** Only those of this target; all of the workspace when left out. */
  target?: { id: string; name: string };
}

/** The schedules, each with when it fires, and how it went lately. `?new=1` and `?edit=ID` open the form. */
export function ScheduleList({ target }: Props) {
  const { t } = useTranslation('schedules');
  const params = useListParams();
  const schedules = useSchedules({ target_id: target?.id, q: params.q, page: params.page, size: params.size });
  return (
    <>
      <DataTable
        label={t('title')}
        query={schedules}
        params={params}
        columns={useColumns(schedules.data?.items ?? [], params, target)}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/schedules/${id}`}
        empty={{ title: t('empty.title'), text: t(target ? 'empty.ofTarget' : 'empty.text'), action: <NewSchedule params={params} /> }}
      />
      <Form params={params} target={target} />
    </>
  );
}

/** Opens the form of a new schedule. */
export function NewSchedule({ params }: { params: ListParams }) {
  const { t } = useTranslation('schedules');
  return (
    <RoleGate role="editor">
      {(gate) => (
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => params.setFilters({ new: '1', edit: null })} {...gate}>
          {t('form.new')}
        </Button>
      )}
    </RoleGate>
  );
}

function Form({ params, target }: { params: ListParams } & Props) {
  const { t } = useTranslation(['schedules', 'common']);
  const navigate = useNavigate();
  const edited = params.filter('edit');
  const editing = useQuery({ ...scheduleQuery(edited ?? ''), enabled: edited !== null, staleTime: 0, refetchOnWindowFocus: false });
  const close = () => params.setFilters({ new: null, edit: null, dataset: null });
  if (edited !== null) {
    const saved = ({ name }: Schedule) => {
      notifications.show({ message: t('form.saved', { name }) });
      close();
    };
    return editing.data && editing.isFetchedAfterMount ? <ScheduleDialog key={edited} editing={editing.data} onClose={close} onSaved={saved} /> : null;
  }
  if (params.filter('new') !== '1') return null;
  const created = ({ id, name }: Schedule) => {
    notifications.show({ message: t('form.created', { name }) });
    void navigate(`/schedules/${id}`);
  };
  return <ScheduleDialog target={target} dataset={params.filter('dataset')} onClose={close} onSaved={created} />;
}

function useColumns(items: readonly Schedule[], params: ListParams, target: Props['target']): Column<Schedule>[] {
  const { t } = useTranslation('schedules');
  const words = useRecurrenceWords();
  const fired = items.some(({ last }) => last?.run_id);
  const newest = items.map(({ last }) => last?.id ?? '').join();
  const runs = useScheduledRuns(target ? { target_id: target.id } : {}, newest, fired);
  const recent = bySchedule(runs.data?.items ?? []);
  return [
    { key: 'name', header: t('column.name'), width: '21%', cell: (schedule) => <Named schedule={schedule} withTarget={!target} /> },
    { key: 'when', header: t('column.when'), width: '24%', cell: (schedule) => <Words text={words(schedule)} /> },
    { key: 'next', header: t('column.next'), cell: (schedule) => <NextFiring schedule={schedule} /> },
    { key: 'last', header: t('column.last'), cell: ({ last, id }) => (last ? <LastFiring firing={last} run={recent.get(id)?.find((run) => run.id === last.run_id)} /> : <Text size="sm" c="dimmed">{t('firing.never')}</Text>) },
    { key: 'recent', header: t('column.recent'), cell: ({ id }) => <RecentRates runs={recent.get(id) ?? []} /> },
    {
      key: 'actions',
      header: t('column.actions'),
      align: 'right',
      cell: (schedule) => (
        <span className={classes.actions}>
          <ScheduleActions schedule={schedule} onEdit={() => params.setFilters({ edit: schedule.id, new: null })} onGone={() => {}} />
        </span>
      ),
    },
  ];
}

/** Names of zones may break behind their slash. */
function Words({ text }: { text: string }) {
  return (
    <span className={classes.words}>
      {text.split('/').map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <>{'/'}<wbr /></>}
          {part}
        </Fragment>
      ))}
    </span>
  );
}

function Named({ schedule: { name, dataset_name, target_name }, withTarget }: { schedule: Schedule; withTarget: boolean }) {
  return (
    <span style={{ overflowWrap: 'anywhere' }}>
      {name}
      <Text component="span" display="block" size="sm" c="dimmed" fw={400}>
        {withTarget ? `${target_name} · ${dataset_name}` : dataset_name}
      </Text>
    </span>
  );
}
