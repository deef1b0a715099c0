import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { GatePanel } from '~/screens/gate/GatePanel';

import { draw } from '../../render';
import { serve } from '../../server';
import { page } from '../runs/samples';
import { aGate, aPolicy, UNDECIDED } from './samples';

const TARGET = { id: 't', active: 2, versions: 3 };
const DATASETS = page([{ id: 'd', name: 'Refunds', runnable: true }]);

function open(role: string, more: Parameters<typeof serve>[0] = {}) {
  const seen = serve({
    'GET /api/auth/me': { body: { workspace: { id: '1', name: 'w' }, name: 'ada', role, kind: 'member' } },
    'GET /api/targets/t/gate': (request) =>
      new URL(request.url).searchParams.get('version') === '2' ? { body: aGate([aPolicy()], { version: 2 }) } : { body: aGate([aPolicy({ standing: 'stale', decision: UNDECIDED })]) },
    'GET /api/eval/datasets': { body: DATASETS },
    ...more,
  });
  draw(<GatePanel target={TARGET} />);
  return seen;
}

test('it says what it makes of the active version and of the newest one', async () => {
  open('viewer');
  const active = await screen.findByRole('list', { name: 'What the gate says of version 2' });
  expect(active).toHaveTextContent('allowed');
  expect(await screen.findByRole('list', { name: 'What the gate says of version 3' })).toHaveTextContent('The dataset changed since version 3 ran on it.');
});

test('who is no owner may not change it', async () => {
  open('editor');
  const button = await screen.findByRole('button', { name: 'Edit the gate' });
  await waitFor(() => expect(button).toHaveAttribute('aria-disabled', 'true'));
  await userEvent.click(button);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an owner sets thresholds', async () => {
  const seen = open('owner', { 'PUT /api/targets/t/gate': { body: aGate([]) } });
  const button = await screen.findByRole('button', { name: 'Edit the gate' });
  await waitFor(() => expect(button).not.toHaveAttribute('aria-disabled'));
  await userEvent.click(button);
  const dialog = await screen.findByRole('dialog');
  const threshold = within(dialog).getByRole('textbox', { name: 'At least' });
  await userEvent.clear(threshold);
  await userEvent.type(threshold, '87.5');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(await seen.find(({ method }) => method === 'PUT')?.json()).toEqual({ policies: [{ dataset_id: 'd', threshold: 0.875, enabled: true }] });
});
