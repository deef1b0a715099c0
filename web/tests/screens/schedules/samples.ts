import type { Notice } from '~/screens/schedules/notices/noticeQueries';
import type { Firing, Schedule } from '~/screens/schedules/scheduleQueries';

const TIME = '2026-11-30T12:00:00Z';

export const me = (role = 'editor') => ({ body: { workspace: { id: 'w', name: 'default' }, name: 'ada@example.org', role, kind: 'member', member_id: 'm' } });

export const page = <T>(items: T[], more: object = {}) => ({ body: { items, total: items.length, page: 1, size: 20, pages: items.length ? 1 : 0, ...more } });

export const problem = (status: number, detail: string, errors: { pointer: string; detail: string }[] = []) => ({
  status,
  body: { type: 'about:blank', title: 't', status, detail, code: 'c', errors },
});

/** Every weekday at 07:00 in Paris. */
export function aSchedule(changes: Partial<Schedule> = {}): Schedule {
  return {
    id: 's1', name: 'nightly', target_id: 't1', target_name: 'Support', dataset_id: 'd1', dataset_name: 'Refunds',
    start: TIME, end: null, zone: 'Europe/Paris', recurrence: { kind: 'cron', expression: '0 7 * * 1-5' },
    paused: false, words: 'every weekday at 07:00, Europe/Paris', next_at: '2099-12-01T06:00:00Z', last: null,
    created_by: 'ada', created_at: TIME, updated_at: TIME,
    ...changes,
  };
}

export function aFiring(changes: Partial<Firing> = {}): Firing {
  return { id: 'f1', schedule_id: 's1', due_at: TIME, fired_at: '2026-11-30T12:00:01Z', status: 'started', run_id: 'run-1', reason: null, ...changes };
}

export function aNotice(changes: Partial<Notice> = {}): Notice {
  return {
    id: 'n1', kind: 'regression', text: 'The pass rate dropped from 90% to 40%.', at: TIME, schedule_id: 's1', schedule_name: 'nightly', run_id: 'run-2', read: false,
    delivery: { status: 'none', attempts: 0, next_at: null, reason: null, delivered_at: null },
    ...changes,
  };
}
