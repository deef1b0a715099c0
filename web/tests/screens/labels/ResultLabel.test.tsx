import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { Schemas } from '~/api/client';
import { ResultLabel } from '~/screens/labels/ResultLabel';

import { draw } from '../../render';
import { serve } from '../../server';
import { ME } from '../runs/samples';

const RESULT = { case_id: 'c', case_key: 'k', trial: 1 } as Schemas['CaseResult'];
const LABEL = { case_key: 'k', trial: 1, verdict: 'fail', note: 'Too rude.', blind: true, by: 'ada', at: '2026-01-02T10:00:00Z' } as const;

test('a label is given with a note', async () => {
  const seen = serve({ ...ME, 'PUT /api/eval/runs/r/results/c/label': { body: LABEL } });
  draw(<ResultLabel runId="r" result={RESULT} label={null} />);
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Note' })).toBeEnabled());
  await userEvent.type(screen.getByRole('textbox', { name: 'Note' }), 'Too rude.');
  await userEvent.click(screen.getByRole('button', { name: 'Fail' }));
  await waitFor(async () => expect(await seen.find(({ method }) => method === 'PUT')?.clone().json()).toEqual({ verdict: 'fail', note: 'Too rude.', trial: 1 }));
});

test('it tells who gave it and how, and can be taken away', async () => {
  const seen = serve({ ...ME, 'DELETE /api/eval/runs/r/results/c/label': { status: 204 } });
  draw(<ResultLabel runId="r" result={RESULT} label={LABEL} />);
  expect(screen.getByText(/by ada on .* without the judge’s word/)).toBeInTheDocument();
  expect(screen.getByText('Too rude.')).toBeInTheDocument();
  const button = screen.getByRole('button', { name: 'Take the label away' });
  await waitFor(() => expect(button).toBeEnabled());
  await userEvent.click(button);
  await waitFor(() => expect(seen.find(({ method }) => method === 'DELETE')?.url).toContain('trial=1'));
});

test('a viewer sees why not', async () => {
  serve({ 'GET /api/auth/me': { body: { workspace: { id: '1', name: 'w' }, name: 'vic', role: 'viewer', kind: 'member' } } });
  draw(<ResultLabel runId="r" result={RESULT} label={LABEL} />);
  expect(await screen.findByText(/role of editor|editor/i)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Edit' })).toBeDisabled();
});
