import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';

import Run from '~/screens/runs/Run';

import { drawRoutes } from '../../render';
import { serve } from '../../server';
import { aResult, aRun, ME, page } from './samples';

/** An EventSource that the test speaks through. */
class Stream extends EventTarget {
  static last: Stream;
  readyState = 1;
  constructor(readonly url: string) {
    super();
    Stream.last = this;
  }
  close() {}
  say(event: string, data: unknown) {
    act(() => void this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) })));
  }
}

beforeEach(() => vi.stubGlobal('EventSource', Stream));

/** A run that goes on: the first results are there, more come. */
async function follow() {
  const results = [aResult()];
  const run = aRun({ status: 'running', summary: null, provisional: true, progress: { total: 6, passed: 1, failed: 0, errors: 0, tokens: 10, cost: null } });
  serve({
    ...ME,
    'GET /api/eval/runs/run-1': { body: run },
    'GET /api/eval/runs/run-1/results': () => ({ body: page([...results]) }),
    'GET /api/eval/runs': { body: page([]) },
  });
  drawRoutes(createMemoryRouter([{ path: '/runs/:id', element: <Run /> }], { initialEntries: ['/runs/run-1'] }));
  await screen.findByRole('button', { name: /How long/ });
  const finish = () => {
    results.push(aResult({ case_id: 'c2', case_key: 'k2', input: 'And abroad?' }));
    Stream.last.say('result', { seq: 2, case_id: 'c2' });
  };
  return { finish };
}

test('the bar and the rate follow the stream', async () => {
  await follow();
  Stream.last.say('progress', { progress: { total: 6, passed: 3, failed: 1, errors: 1, tokens: 50, cost: null }, rate: 0.75, interval: [0.3, 0.95] });
  expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '5 of 6, 3 passed, 1 failed, 1 error');
  expect(screen.getByRole('region', { name: 'Result of the run' })).toHaveTextContent('3/4 passed (95% CI 30–95%)');
});

test('new results show by themselves while nobody reads', async () => {
  const { finish } = await follow();
  finish();
  expect(await screen.findByRole('button', { name: /And abroad/ })).toBeInTheDocument();
});

test('while a row is open they wait until they are wanted', async () => {
  const { finish } = await follow();
  await userEvent.click(screen.getByRole('button', { name: /How long/ }));
  finish();
  const show = await screen.findByRole('button', { name: 'Show new results' });
  expect(screen.queryByRole('button', { name: /And abroad/ })).toBeNull();
  await userEvent.click(show);
  expect(await screen.findByRole('button', { name: /And abroad/ })).toBeInTheDocument();
});
