import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { ActivateDialog } from '~/screens/agents/ActivateDialog';
import type { Target } from '~/screens/agents/targets';

import { draw } from '../../render';
import { serve } from '../../server';
import { aGate, aPolicy, UNDECIDED } from '../gate/samples';

const TARGET = { id: 't', active: 2, versions: 3 } as Target;
const MISSING = aGate([aPolicy({ standing: 'missing', run: null, decision: UNDECIDED })]);
const who = (role: string) => ({ 'GET /api/auth/me': { body: { workspace: { id: '1', name: 'w' }, name: 'ada', role, kind: 'member' } } });

function open(role: string, gate: unknown, more: Parameters<typeof serve>[0] = {}) {
  const seen = serve({ ...who(role), 'GET /api/targets/t/gate': { body: gate }, ...more });
  const onClose = vi.fn();
  draw(<ActivateDialog target={TARGET} number={3} onClose={onClose} />);
  return { seen, onClose };
}

test('what the gate allows is activated', async () => {
  const { seen, onClose } = open('editor', aGate([aPolicy()]), { 'POST /api/targets/t/versions/3/activate': { body: { ...TARGET, active: 3 } } });
  expect(await screen.findByText('The gate lets version 3 pass')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Make it active' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(await seen.find(({ method }) => method === 'POST')?.json()).toEqual({ override: null });
});

test('an editor sees why not, and how to mend it', async () => {
  open('editor', MISSING);
  expect(await screen.findByText('The gate does not let version 3 pass')).toBeInTheDocument();
  expect(screen.getByText('An owner may override this with a reason.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Run it on Refunds' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Make it active' })).toBeDisabled();
});

test('an owner overrides with a reason and the version typed out', async () => {
  const { seen, onClose } = open('owner', MISSING, { 'POST /api/targets/t/versions/3/activate': { body: { ...TARGET, active: 3 } } });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Make it active all the same' }));
  const button = screen.getByRole('button', { name: 'Override and make it active' });
  expect(button).toBeDisabled();
  await userEvent.type(screen.getByRole('textbox', { name: 'Why may it pass?' }), ' It is urgent. ');
  expect(button).toBeDisabled();
  await userEvent.type(screen.getByRole('textbox', { name: 'Type v3 to confirm' }), 'v3');
  await userEvent.click(button);
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(await seen.find(({ method }) => method === 'POST')?.json()).toEqual({ override: { reason: 'It is urgent.' } });
});

test('a refusal by the server shows what the gate says by now', async () => {
  const refused = { status: 409, code: 'gate_refused', title: 'Conflict', detail: 'it may not', errors: null, gate: MISSING };
  open('editor', aGate([aPolicy()]), { 'POST /api/targets/t/versions/3/activate': { status: 409, body: refused } });
  await screen.findByText('The gate lets version 3 pass');
  await userEvent.click(screen.getByRole('button', { name: 'Make it active' }));
  expect(await screen.findByText('The gate does not let version 3 pass')).toBeInTheDocument();
  expect(screen.getByText(/no complete run on this dataset/)).toBeInTheDocument();
});
