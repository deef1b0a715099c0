import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import Waiting from '~/screens/workflows/human/Waiting';

import { draw } from '../../../render';
import { serve } from '../../../server';

const OWNER = { workspace: { id: 'w', name: 'Test' }, name: 'ana@example.org', role: 'editor', kind: 'member', member_id: 'm' };
const STEP = { execution_id: 'e1', target_id: 't1', target_name: 'Desk', version: 3, step: 'approve', question: 'May <b>80</b> be paid?', answer_schema: null as unknown, asked_at: '2026-01-02T03:04:05Z', answer: null, answered_by: null, answered_at: null };
const APPROVAL = { type: 'object', properties: { approved: { type: 'boolean' }, reason: { type: 'string', minLength: 3 } }, required: ['approved'] };

function server(...schemas: unknown[]) {
  const items = schemas.map((answer_schema, index) => ({ ...STEP, execution_id: `e${index + 1}`, answer_schema }));
  return serve({
    'GET /api/auth/me': { body: OWNER },
    'GET /api/executions/waiting': { body: { items, total: items.length, page: 1, size: 10, pages: 1 } },
    'POST /api/executions/e1/steps/approve/answer': { status: 202, body: { id: 'e1', status: 'running' } },
    'GET /api/executions/e1': { body: { id: 'e1', status: 'ok' } },
  });
}

const sent = async (requests: Request[]) => requests.find(({ method }) => method === 'POST')?.json() as Promise<unknown>;

test('a question is shown as text, and any text answers it', async () => {
  const requests = server(null);
  draw(<Waiting />);
  expect(await screen.findByText('May <b>80</b> be paid?')).toBeInTheDocument();
  expect(screen.getByText('approve of Desk v3')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Send the answer' }));
  expect(screen.getByText('Type an answer first.')).toBeInTheDocument();
  await userEvent.type(screen.getByRole('textbox', { name: /Answer/ }), 'Yes, at once');
  await userEvent.click(screen.getByRole('button', { name: 'Send the answer' }));
  expect(await sent(requests)).toEqual({ answer: 'Yes, at once' });
});

test('an answer with fields has a form; a switch that nobody touched is off', async () => {
  const requests = server(APPROVAL);
  draw(<Waiting />);
  await userEvent.type(await screen.findByRole('textbox', { name: 'Reason' }), 'no');
  await userEvent.click(screen.getByRole('button', { name: 'Send the answer' }));
  expect(screen.getByText('At least 3 characters.')).toBeInTheDocument();
  await userEvent.type(screen.getByRole('textbox', { name: 'Reason' }), 'ne');
  await userEvent.click(screen.getByRole('button', { name: 'Send the answer' }));
  expect(await sent(requests)).toEqual({ answer: { approved: false, reason: 'none' } });
});

test('an answer that is one choice stands alone', async () => {
  const requests = server({ enum: ['pay', 'refuse'] });
  draw(<Waiting />);
  await userEvent.click(await screen.findByRole('combobox', { name: 'Answer' }));
  await userEvent.click(await screen.findByRole('option', { name: 'refuse' }));
  await userEvent.click(screen.getByRole('button', { name: 'Send the answer' }));
  expect(await sent(requests)).toEqual({ answer: 'refuse' });
});

test('each waiting step has a form of its own; where none waits, that is said', async () => {
  server(null, APPROVAL);
  const { unmount } = draw(<Waiting />);
  expect(within(await screen.findByRole('list', { name: 'Waiting for you' })).getAllByRole('button', { name: 'Send the answer' })).toHaveLength(2);
  unmount();
  server();
  draw(<Waiting />);
  expect(await screen.findByText('Nobody waits for you')).toBeInTheDocument();
});
