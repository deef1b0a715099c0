import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, Outlet } from 'react-router';
import { expect, test } from 'vitest';

import OnlineRule from '~/screens/online/OnlineRule';
import TargetOnline from '~/screens/online/TargetOnline';

import { drawRoutes } from '../../render';
import { serve } from '../../server';
import { aBucket, aResult, aRule, me, page, problem } from './samples';

const RULES = '/api/targets/t1/online-rules';
const EMPTY = { passed: 0, failed: 0, errors: 0, rate: null, interval: [0, 1] as [number, number] };

function open(address: string, more: Parameters<typeof serve>[0] = {}) {
  const rate = { bucket: 'hour', zone: 'UTC', total: aBucket({ skipped: 120 }), buckets: [aBucket(EMPTY), aBucket()] };
  const seen = serve({
    'GET /api/auth/me': me(),
    [`GET ${RULES}`]: page([aRule()]),
    [`GET ${RULES}/r1`]: { body: aRule() },
    [`GET ${RULES}/r1/rate`]: { body: rate },
    [`GET ${RULES}/r1/results`]: page([aResult()]),
    ...more,
  });
  const target = { value: { id: 't1', name: 'Support', kind: 'remote' }, etag: 'x' };
  const children = [
    { path: 'online', element: <TargetOnline /> },
    { path: 'online/:ruleId', element: <OnlineRule /> },
  ];
  drawRoutes(createMemoryRouter([{ path: '/', element: <Outlet context={target} />, children }], { initialEntries: [address] }));
  return seen;
}

test('a list tells the rate of the last day, and what the budget left out', async () => {
  open('/online');
  const rules = within(await screen.findByRole('table', { name: 'Online rules' }));
  expect(rules.getByRole('link', { name: 'Polite answers' })).toHaveAttribute('href', '/agents/t1/evaluations/online/r1');
  expect(rules.getByText('8/10 passed (95% CI 49–94%)')).toBeInTheDocument();
  expect(rules.getByText('120 not graded: daily budget')).toBeInTheDocument();
  expect(rules.getByText('500 of 500 graded · $0.50 of $2.00')).toBeInTheDocument();
});

test('a rule is switched off at once', async () => {
  const seen = open('/online', { [`PUT ${RULES}/r1`]: { body: aRule({ enabled: false }) } });
  await userEvent.click(await screen.findByRole('switch', { name: '“Polite answers” grades production' }));
  const sent = seen.find(({ method }) => method === 'PUT');
  expect(await sent?.json()).toEqual({ enabled: false });
});

test('a viewer sees it and cannot switch it', async () => {
  const seen = open('/online', { 'GET /api/auth/me': me('viewer') });
  await userEvent.click(await screen.findByRole('switch'));
  expect(seen.some(({ method }) => method === 'PUT')).toBe(false);
});

test('without rules it is said what to do', async () => {
  open('/online', { [`GET ${RULES}`]: page([]) });
  expect(await screen.findByText('Production is not graded yet')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'New rule' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Create' }));
  expect(await screen.findByText('Choose at least one evaluator.')).toBeInTheDocument();
});

test('a page tells what a rule grades, its rate, and each execution with the reason', async () => {
  open('/online/r1');
  expect(await screen.findByRole('heading', { name: 'Polite answers' })).toBeInTheDocument();
  expect(screen.getByText(/10% of production · without those that failed · with “order” · of version 2/)).toBeInTheDocument();
  expect(await screen.findByText('80%')).toBeInTheDocument();
  const graded = within(await screen.findByRole('table', { name: 'Graded executions' }));
  expect(graded.getByText('it is curt')).toBeInTheDocument();
  expect(graded.getByRole('link')).toHaveAttribute('href', '/executions/x1');
  await userEvent.click(screen.getByRole('button', { name: 'Show the figures' }));
  const rows = within(screen.getByRole('table', { name: 'Pass rate over time' }));
  expect(rows.getAllByRole('row')).toHaveLength(2); // a head, and the hour in which something was decided
});

test('a verdict that is chosen is asked for, and chosen executions can become drafts', async () => {
  const seen = open('/online/r1?verdict=fail');
  const graded = within(await screen.findByRole('table', { name: 'Graded executions' }));
  expect(seen.some(({ url }) => url.includes('results?verdict=fail'))).toBe(true);
  await userEvent.click(graded.getByRole('checkbox', { name: /Where is my order/ }));
  expect(await screen.findByRole('button', { name: 'Add to dataset as drafts' })).toBeInTheDocument();
});

test('one that is not there', async () => {
  open('/online/r1', { [`GET ${RULES}/r1`]: problem(404, "the target has no online rule 'r1'") });
  expect(await screen.findByText("the target has no online rule 'r1'")).toBeInTheDocument();
});
