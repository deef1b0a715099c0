import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter } from 'react-router';
import { expect, test } from 'vitest';

import Labelling from '~/screens/labels/Labelling';

import { drawRoutes } from '../../render';
import { serve } from '../../server';
import { ME, page } from '../runs/samples';

const entry = (id: string, labelled = false) => ({ case_id: id, case_key: id, case_name: `Case ${id}`, trial: 0, labelled, label: null });
const blind = (id: string) => ({
  case_id: id,
  case_key: id,
  trial: 0,
  case: { id, key: id, name: '', input: `Question ${id}`, expected_output: null, expected_behavior: 'Is polite', assertions: [], attachments: [] },
  outcome: { output: `Answer ${id}`, failure: null },
  criteria: { tone: 'No rude word.' },
  label: null,
});
const LABEL = { case_key: 'b', trial: 0, verdict: 'pass', note: '', blind: true, by: 'ada', at: '2026-01-02T10:00:00Z' };

function open(address = '/runs/r/labelling', more: Parameters<typeof serve>[0] = {}) {
  const seen = serve({
    ...ME,
    'GET /api/eval/runs/r/labelling': (request) => (new URL(request.url).searchParams.has('unlabelled') ? { body: { ...page([]), total: 2 } } : { body: page([entry('a', true), entry('b'), entry('c')]) }),
    'GET /api/eval/runs/r/results/b': { body: blind('b') },
    'GET /api/eval/runs/r/results/c': { body: blind('c') },
    'PUT /api/eval/runs/r/results/b/label': { body: LABEL },
    'PUT /api/eval/runs/r/results/c/label': { body: LABEL },
    ...more,
  });
  const router = createMemoryRouter([{ path: '/runs/:id/labelling', element: <Labelling /> }], { initialEntries: [address] });
  return { seen, ...drawRoutes(router) };
}

test('it begins with the first that nobody labelled, and goes on by keyboard', async () => {
  const { seen, router } = open();
  expect(await screen.findByText('Answer b')).toBeInTheDocument();
  expect(screen.getByText('No rude word.')).toBeInTheDocument();
  expect(await screen.findByText('1 of 3 results labelled')).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Pass' })).not.toHaveAttribute('aria-disabled'));
  await userEvent.keyboard('n');
  await userEvent.keyboard('fine p f');
  await userEvent.keyboard('{Escape}p');
  await waitFor(() => expect(router.state.location.search).toBe('?at=2'));
  const put = seen.find(({ method }) => method === 'PUT');
  expect(new URL(put?.url ?? '').search).toBe('?blind=true');
  expect(await put?.json()).toEqual({ verdict: 'pass', note: 'fine p f', trial: 0 });
  expect(await screen.findByText('Answer c')).toBeInTheDocument();
  await userEvent.keyboard('f');
  expect(await screen.findByRole('heading', { name: 'That was the last one' })).toBeInTheDocument();
});

test('skipping and going back label nothing', async () => {
  const { seen, router } = open('/runs/r/labelling?at=1');
  await screen.findByText('Answer b');
  await userEvent.keyboard('s');
  await screen.findByText('Answer c');
  await userEvent.keyboard('{ArrowLeft}');
  await waitFor(() => expect(router.state.location.search).toBe('?at=1'));
  expect(seen.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('nothing of the judge is asked for', async () => {
  const { seen } = open();
  await screen.findByText('Answer b');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Fail' })).not.toHaveAttribute('aria-disabled'));
  await userEvent.keyboard('f');
  await screen.findByText('Answer c');
  const asked = seen.filter(({ method }) => method === 'GET').map(({ url }) => new URL(url));
  for (const url of asked) {
    if (url.pathname.includes('/results/')) expect(url.searchParams.get('blind')).toBe('true');
    else expect(['/api/auth/me', '/api/eval/runs/r/labelling']).toContain(url.pathname);
  }
});
