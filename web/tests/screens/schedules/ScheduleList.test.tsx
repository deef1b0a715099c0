import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { ScheduleList } from '~/screens/schedules/ScheduleList';
import { bySchedule, untilFired } from '~/screens/schedules/scheduleQueries';

import { draw } from '../../render';
import { serve } from '../../server';
import { aRun } from '../runs/samples';
import { aFiring, aSchedule, me, page, problem } from './samples';

/** The form is large, and a machine that does other things too draws it slowly. */
const FORM_MS = 20_000;
const TARGET = { id: 't1', name: 'Support' };
const dataset = (id: string, runnable: boolean) => ({ id, name: id, description: '', runnable, case_count: 1, evaluator_count: 0, judge_samples: 1, last_run: null, target_id: 't1', updated_at: '' });
const PREVIEW = { body: { words: '', firings: ['2099-12-01T06:00:00Z', '2099-12-02T06:00:00Z'] } };

function open(schedules: ReturnType<typeof aSchedule>[], more: Parameters<typeof serve>[0] = {}, address = '/') {
  const seen = serve({
    'GET /api/auth/me': me(),
    'GET /api/eval/schedules': page(schedules),
    'GET /api/eval/runs': page([aRun({ schedule_id: 's1', rate: 0.8 })]),
    'GET /api/eval/datasets': page([dataset('drafts', false), dataset('refunds', true)]),
    'POST /api/eval/schedules/preview': PREVIEW,
    ...more,
  });
  return { seen, ...draw(<ScheduleList target={TARGET} />, address) };
}

/** All at once: the form is large, and these tests are not about its keys. */
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });
/** The form, by a selector: to look for it by its role takes seconds in so large a document. */
const form = async () => within(await vi.waitFor(() => document.querySelector<HTMLElement>('[role=dialog] form') ?? Promise.reject(new Error('no form')), { timeout: 3000 }));
const row = async (name: string) => (await screen.findByRole('link', { name: new RegExp(name) })).closest('tr') as HTMLElement;
const bodyOf = async (seen: Request[], method: string, path: string) => seen.find((request) => request.method === method && new URL(request.url).pathname === path)?.json() as Promise<Record<string, unknown>>;

test('each tells when it fires, its state, and what came of its last firing', async () => {
  open([
    aSchedule({ last: aFiring() }),
    aSchedule({ id: 's2', name: 'halted', paused: true, next_at: null }),
    aSchedule({ id: 's3', name: 'ended', next_at: null, last: aFiring({ status: 'failed', run_id: null, reason: 'no judge' }) }),
    aSchedule({ id: 's4', name: 'slow', last: aFiring({ status: 'skipped', run_id: null, reason: 'x' }) }),
  ]);
  const nightly = within(await row('nightly'));
  expect(nightly.getByText(/every weekday at 7:00/)).toBeInTheDocument();
  expect(await nightly.findByText('80%')).toBeInTheDocument();
  expect(nightly.getByRole('img', { name: 'Pass rate of the last run: 80%' })).toBeInTheDocument();
  expect(within(await row('halted')).getByText('Paused')).toBeInTheDocument();
  const ended = within(await row('ended'));
  expect(ended.getByText('Over')).toBeInTheDocument();
  expect(ended.getByText('no judge')).toBeInTheDocument();
  expect(ended.queryByRole('button', { name: /Pause/ })).toBeNull();
  expect(within(await row('slow')).getByText('The run before it was still going on.')).toBeInTheDocument();
});

test('pausing and resuming', async () => {
  const { seen } = open([aSchedule(), aSchedule({ id: 's2', name: 'halted', paused: true, next_at: null })], {
    'POST /api/eval/schedules/s1/pause': { body: aSchedule({ paused: true, next_at: null }) },
    'POST /api/eval/schedules/s2/resume': problem(409, 'it is over'),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Pause nightly' }));
  await userEvent.click(screen.getByRole('button', { name: 'Resume halted' }));
  await vi.waitFor(() => expect(seen.filter(({ method }) => method === 'POST').map(({ url }) => new URL(url).pathname)).toEqual(['/api/eval/schedules/s1/pause', '/api/eval/schedules/s2/resume']));
});

test('deleting asks, and says that the runs stay', async () => {
  const { seen } = open([aSchedule()], { 'DELETE /api/eval/schedules/s1': { status: 200, body: null } });
  await userEvent.click(await screen.findByRole('button', { name: 'More for nightly' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/Its runs stay/)).toBeInTheDocument();
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  await vi.waitFor(() => expect(seen.some(({ method }) => method === 'DELETE')).toBe(true));
});

test('who may only read cannot change anything', async () => {
  open([aSchedule()], { 'GET /api/auth/me': me('viewer') });
  expect(await screen.findByRole('button', { name: 'Pause nightly' })).toHaveAttribute('aria-disabled', 'true');
});

test('a new one is of the target, on its first dataset with a case to run, in the reader’s zone', { timeout: FORM_MS }, async () => {
  const { seen, router } = open([], { 'POST /api/eval/schedules': { status: 201, body: aSchedule({ id: 's9' }) } }, '/?new=1');
  const dialog = await form();
  expect(dialog.getByLabelText('Target')).toHaveValue('Support');
  await vi.waitFor(() => expect(dialog.getByLabelText(/^Dataset/, { selector: 'input' })).toHaveValue('refunds'));
  await userEvent.click(dialog.getByText('Create'));
  expect(dialog.getByText('This is needed.')).toBeInTheDocument();
  type(dialog.getByLabelText(/^Name/), 'nightly');
  await userEvent.click(dialog.getByText('Create'));
  await vi.waitFor(() => expect(router.state.location.pathname).toBe('/schedules/s9'));
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  expect(await bodyOf(seen, 'POST', '/api/eval/schedules')).toMatchObject({ name: 'nightly', target_id: 't1', dataset_id: 'refunds', zone, recurrence: { kind: 'every', n: 1, unit: 'days' }, paused: false, end: null });
});

test('a cron expression is told in words with its next firings, and its faults stand at the field', { timeout: FORM_MS }, async () => {
  const answers: Record<string, unknown>[] = [];
  open([], { 'POST /api/eval/schedules/preview': () => (answers.length > 0 ? problem(422, 'no', [{ pointer: '/recurrence', detail: 'Bad hour' }]) : PREVIEW) }, '/?new=1&dataset=drafts');
  const dialog = await form();
  await userEvent.click(dialog.getByLabelText('Cron expression'));
  const field = dialog.getByLabelText(/^Expression/);
  type(field, '0 7 *');
  expect(dialog.getByText('Five fields are needed, such as 0 7 * * 1-5')).toBeInTheDocument();
  type(field, '0 7 * * 1-5');
  const preview = within(dialog.getByText('Next firings').closest('section') as HTMLElement);
  expect(preview.getByText(/every weekday at 7:00/)).toBeInTheDocument();
  await vi.waitFor(() => expect(preview.getAllByText(/Dec .*2099/)).toHaveLength(2));
  answers.push({});
  type(field, '0 99 * * *');
  expect(await dialog.findByText('Bad hour')).toBeInTheDocument();
  expect(field).toBeInvalid();
});

test('editing sends what the form holds, unless somebody else has changed it', { timeout: FORM_MS }, async () => {
  const schedule = aSchedule();
  const { seen } = open([schedule], { 'GET /api/eval/schedules/s1': { body: schedule }, 'PUT /api/eval/schedules/s1': problem(412, 'changed') }, '/?edit=s1');
  const dialog = await form();
  type(dialog.getByLabelText(/^Name/), 'daily');
  await userEvent.click(dialog.getByText('Save'));
  expect(await dialog.findByText('Somebody else has changed it meanwhile')).toBeInTheDocument();
  const { start, end, zone, recurrence } = schedule;
  expect(await bodyOf(seen, 'PUT', '/api/eval/schedules/s1')).toEqual({ name: 'daily', target_id: 't1', dataset_id: 'd1', paused: false, start, end, zone, recurrence });
  expect(dialog.getByLabelText(/^Name/)).toHaveValue('daily');
  expect(seen.find(({ method }) => method === 'PUT')?.headers.get('if-match')).toBe('*');
});

test('nothing is asked for again before something has fired', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  expect(untilFired([], now)).toBe(false);
  expect(untilFired([{ next_at: null }, { next_at: '2026-01-02T00:00:00Z' }], now)).toBe(false);
  expect(untilFired([{ next_at: '2026-01-01T00:05:00Z' }, { next_at: '2026-01-01T00:10:00Z' }], now)).toBe(302_000);
  expect(untilFired([{ next_at: '2025-12-31T23:59:59Z' }], now)).toBe(3_000);
  expect(untilFired([{ next_at: '2025-12-31T23:00:00Z' }], now)).toBe(60_000);
});

test('runs that people started are of no schedule', () => {
  const runs = [aRun({ id: 'a', schedule_id: 's1' }), aRun({ id: 'b', schedule_id: null }), aRun({ id: 'c', schedule_id: 's1' })];
  expect([...bySchedule(runs)].map(([id, group]) => [id, group.map((run) => run.id)])).toEqual([['s1', ['a', 'c']]]);
});
