import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

import { changeLanguage } from '~/i18n';
import { toldOf } from '~/screens/schedules/notices/noticeQueries';
import { NoticeBell } from '~/screens/schedules/notices/NoticeBell';
import Notices from '~/screens/schedules/notices/Notices';

import { draw } from '../../../render';
import { serve } from '../../../server';
import { aRun } from '../../runs/samples';
import { aNotice, me, page } from '../samples';

afterEach(() => changeLanguage('en'));

const DELIVERY = aNotice().delivery;
const items = [
  aNotice(),
  aNotice({ id: 'n2', kind: 'failed', text: 'The run could not be started: no judge', run_id: null, read: true, delivery: { ...DELIVERY, status: 'failed', attempts: 5, reason: 'it answered with status 500' } }),
  aNotice({ id: 'n3', kind: 'nothing_decided', read: true, delivery: { ...DELIVERY, status: 'delivered', delivered_at: '2026-11-30T12:00:02Z' } }),
];

function open(address = '/notices') {
  const seen = serve({
    'GET /api/auth/me': me('viewer'),
    'GET /api/notices': page(items, { unread: 1 }),
    'GET /api/eval/runs': page([aRun({ id: 'run-2' }), aRun({ id: 'run-1' })]),
    'POST /api/notices/n1/read': { body: items[0] },
    'POST /api/notices/read': { body: null },
  });
  return { seen, ...draw(<Notices />, address) };
}

const item = async (title: string) => within((await screen.findByRole('heading', { name: new RegExp(title) })).closest('li') as HTMLElement);
const posted = (seen: Request[]) => seen.filter(({ method }) => method === 'POST').map(({ url }) => new URL(url).pathname);

test('each says what happened, where to look, and how far it got to the webhook', async () => {
  open();
  const regression = await item('The pass rate dropped');
  expect(regression.getByText('The pass rate dropped from 90% to 40%.')).toHaveAttribute('lang', 'en');
  expect(regression.getByRole('link', { name: 'Open the run' })).toHaveAttribute('href', '/runs/run-2');
  await vi.waitFor(() => expect(regression.getByRole('link', { name: 'Compare with the run before' })).toHaveAttribute('href', '/compare?a=run-1&b=run-2'));
  const failed = await item('The run did not come to its end');
  expect(failed.queryByRole('link', { name: 'Open the run' })).toBeNull();
  expect(failed.getByText(/given up after 5 tries/)).toHaveTextContent('it answered with status 500');
  expect((await item('Nothing was decided')).getByText(/sent to the webhook/)).toBeInTheDocument();
});

test('one or all are marked as read, also by who may only read', async () => {
  const { seen } = open();
  await userEvent.click(await screen.findByRole('button', { name: 'Mark as read' }));
  await userEvent.click(screen.getByRole('button', { name: 'Mark all as read' }));
  await vi.waitFor(() => expect(posted(seen)).toEqual(['/api/notices/n1/read', '/api/notices/read']));
});

test('the address narrows them', async () => {
  const { seen } = open('/notices?unread=1&schedule=s1');
  await item('The pass rate dropped');
  const asked = seen.find(({ url }) => url.includes('/api/notices?'))?.url ?? '';
  expect(Object.fromEntries(new URL(asked).searchParams)).toEqual({ schedule_id: 's1', unread: 'true', page: '1', size: '20' });
});

test('the bell counts what is unread', async () => {
  serve({ 'GET /api/notices': page(items, { unread: 120 }) });
  draw(<NoticeBell />);
  expect(await screen.findByRole('link', { name: 'Notices, 120 unread' })).toBeInTheDocument();
  expect(screen.getByText('99+')).toBeInTheDocument();
});

test('the bell is quiet when there is nothing to read', async () => {
  const seen = serve({ 'GET /api/notices': page([], { unread: 0 }) });
  draw(<NoticeBell />);
  await vi.waitFor(() => expect(seen).toHaveLength(1));
  expect(screen.getByRole('link', { name: 'Notices' })).toHaveTextContent('');
});

test('who reads French is told in French, from the figures of the runs', async () => {
  await changeLanguage('fr');
  open();
  const regression = await item('Le taux de réussite a baissé');
  expect(await regression.findByText(/^De 80\s% à 80\s%, au-delà/)).not.toHaveAttribute('lang');
  // Why a run could not start only the server knows.
  expect((await item('n’est pas allée à son terme')).getByText(/no judge/)).toHaveAttribute('lang', 'en');
});

test('the run before is the completed one next to it', () => {
  const runs = [aRun({ id: 'c' }), aRun({ id: 'b' }), aRun({ id: 'a' })];
  expect(toldOf(runs, 'b')).toEqual({ run: runs[1], before: runs[2] });
  expect(toldOf(runs, 'a')).toEqual({ run: runs[2], before: undefined });
  expect(toldOf([], 'a')).toEqual({});
});
