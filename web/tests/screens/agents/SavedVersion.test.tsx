import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { SavedVersion } from '~/screens/agents/SavedVersion';
import type { Target, Version } from '~/screens/agents/targets';

import { draw } from '../../render';
import { serve } from '../../server';
import { ME } from '../runs/samples';

const TARGET = { id: 't1', active: 1 } as Target;
const VERSION = { number: 2 } as Version;

test('a new version is made active when somebody says so', async () => {
  const requests = serve({ ...ME, 'GET /api/targets/t1/gate': { body: { target_id: 't1', target_name: 'bot', version: 2, allowed: true, policies: [] } }, 'POST /api/targets/t1/versions/2/activate': { body: { ...TARGET, active: 2 } } });
  const { router } = draw(<SavedVersion target={TARGET} saved={{ version: VERSION, isNew: true }} />, '/agents/t1/versions/new');
  await userEvent.click(screen.getByRole('button', { name: 'Make it active' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/agents/t1'));
  expect(await requests.find(({ method }) => method === 'POST')?.json()).toEqual({ override: null });
});

test('a definition that was there already adds none', () => {
  draw(<SavedVersion target={{ ...TARGET, active: 2 }} saved={{ version: VERSION, isNew: false }} />);
  expect(screen.getByText(/none was added/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Make it active' })).not.toBeInTheDocument();
});
