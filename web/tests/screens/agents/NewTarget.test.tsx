import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import NewTarget from '~/screens/agents/NewTarget';

import { draw } from '../../render';
import { serve } from '../../server';

const OWNER = { workspace: { id: 'w', name: 'Test' }, name: 'ana@example.org', role: 'owner', kind: 'member', member_id: 'm' };
const text = (description = '') => ({ type: 'string', default: '', description });
const AGENT = {
  kind: 'agent',
  title: 'A ReAct agent.',
  doc: 'A ReAct agent.\n\nEach case gets a fresh one.',
  allowed: true,
  schema: {
    type: 'object',
    required: ['model'],
    properties: { model: { type: 'string' }, base_url: text(), api_key_env: text(), instructions: text(), tools: { type: 'array', items: {}, default: [] }, limits: { type: 'object', properties: { steps: { type: 'integer', default: 50 } }, default: {} } },
  },
};
const PYTHON = { kind: 'python', title: 'A Python function.', doc: 'A Python function.', allowed: false, schema: { type: 'object', properties: {} } };
const TOOLS = [
  { kind: 'calculator', title: 'Work out an expression.', doc: '', allowed: true, schema: { type: 'object', properties: {} } },
  { kind: 'file_ops', title: 'Read files.', doc: '', allowed: true, schema: { type: 'object', properties: { max_bytes: { type: 'integer', title: 'Max bytes', default: 1000 } } } },
  { kind: 'python_exec', title: 'Run code.', doc: '', allowed: false, schema: { type: 'object', properties: {} } },
];
const MODELS = {
  model: { model: 'openai:small', base_url: 'http://models.test/v1' },
  judge: null,
  providers: [
    { provider: 'openai', variable: 'OPENAI_API_KEY', is_set: true, permitted: true },
    { provider: 'groq', variable: 'GROQ_API_KEY', is_set: false, permitted: true },
  ],
};
const answers = {
  'GET /api/auth/me': { body: OWNER },
  'GET /api/target-kinds': { body: [PYTHON, AGENT] },
  'GET /api/tool-kinds': { body: TOOLS },
  'GET /api/models': { body: MODELS },
};

test('the agent is offered first; a kind that is not allowed says why', async () => {
  serve(answers);
  draw(<NewTarget />, '/agents/new');
  const choices = within(await screen.findByRole('list', { name: 'Kinds of targets' })).getAllByRole('link');
  expect(choices.map((choice) => choice.getAttribute('href'))).toEqual(['/agents/new?kind=agent', null]);
  expect(screen.getByText(/ALOI_ALLOW_CODE/)).toBeInTheDocument();
});

test('an agent is created from what was given, and leads to its Runner', async () => {
  const user = userEvent.setup();
  const requests = serve({ ...answers, 'POST /api/targets': { status: 201, body: { id: 't1', name: 'Helper' } } });
  const { router } = draw(<NewTarget />, '/agents/new?kind=agent');
  await user.type(await screen.findByLabelText(/^Name/), 'Helper');
  await user.type(screen.getByRole('combobox', { name: /^Model/ }), 'openai:small');
  await user.type(screen.getByLabelText('Instructions'), 'Be brief.');
  await user.click(await screen.findByLabelText('Calculator'));
  await user.click(screen.getByLabelText('File ops'));
  await user.click(screen.getByRole('button', { name: 'Options of File ops' }));
  await user.type(screen.getByLabelText('Max bytes'), '5');
  expect(screen.getByLabelText('Python exec')).toBeDisabled();
  await user.click(screen.getByRole('button', { name: 'Create' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/agents/t1/runner'));
  const sent = await requests.find(({ method }) => method === 'POST')?.json();
  // The server's default model brings the address of its endpoint along.
  expect(sent).toEqual({
    name: 'Helper',
    description: null,
    definition: { kind: 'agent', model: 'openai:small', base_url: 'http://models.test/v1', instructions: 'Be brief.', tools: ['calculator', { kind: 'file_ops', max_bytes: 5 }] },
  });
});

test('faults stand at their fields, and the first one gets the focus', async () => {
  const user = userEvent.setup();
  const fault = { pointer: '/definition/model', detail: 'not of the form provider:model' };
  serve({ ...answers, 'POST /api/targets': { status: 422, body: { status: 422, code: 'invalid', title: 'Invalid', detail: 'it does not fit', errors: [fault] } } });
  draw(<NewTarget />, '/agents/new?kind=agent');
  await user.click(await screen.findByRole('button', { name: 'Create' }));
  expect(screen.getByLabelText(/^Name/)).toHaveAccessibleDescription('Give it a name.');
  await user.type(screen.getByLabelText(/^Name/), 'Helper');
  await user.type(screen.getByRole('combobox', { name: /^Model/ }), 'x');
  await user.click(screen.getByRole('button', { name: 'Create' }));
  expect(await screen.findByText(fault.detail)).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('combobox', { name: /^Model/ })).toHaveFocus());
});

test('a provider without a key is told of', async () => {
  const user = userEvent.setup();
  serve(answers);
  draw(<NewTarget />, '/agents/new?kind=agent');
  await user.type(await screen.findByRole('combobox', { name: /^Model/ }), 'groq:x');
  expect(await screen.findByText(/GROQ_API_KEY is not set/)).toBeInTheDocument();
  await user.type(screen.getByLabelText('Endpoint'), 'http://own.test');
  expect(screen.queryByText(/GROQ_API_KEY/)).not.toBeInTheDocument();
});
