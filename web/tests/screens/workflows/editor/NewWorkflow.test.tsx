import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, expect, test } from 'vitest';

import NewWorkflow from '~/screens/workflows/editor/NewWorkflow';

import { draw } from '../../../render';
import { serve } from '../../../server';

const SESSION = { body: { user: { name: 'Ann' }, role: 'editor' } };
const MODELS = { body: { model: { model: 'openai:echo', base_url: null }, judge: null, providers: [] } };
const GOOD = { definition: { kind: 'workflow', steps: [] }, faults: [], steps: [] };

beforeAll(async () => {
  // It is fetched when it is first drawn, which takes a while here.
  await import('~/screens/workflows/editor/CodeEditor');
  // What the editor measures by, which jsdom has not.
  Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
});

function server(check: object = GOOD) {
  return serve({
    'GET /api/auth/me': SESSION,
    'GET /api/models': MODELS,
    'POST /api/target-kinds/workflow/check': { body: check },
    'POST /api/targets': { status: 422, body: { status: 422, code: 'invalid', title: 'Invalid', detail: 'no', errors: [{ pointer: '/definition/steps/1/ways', detail: 'it leads in a circle' }] } },
  });
}

test('an example is there to begin with, as a text and as a picture', async () => {
  server();
  draw(<NewWorkflow />);
  expect(await screen.findByRole('textbox', { name: 'Text of the workflow' })).toHaveTextContent('name: classify');
  const steps = within(await screen.findByRole('list', { name: 'Steps' })).getAllByRole('button');
  expect(steps.map((step) => step.textContent)).toEqual([
    expect.stringMatching(/^classifyprompt/),
    expect.stringMatching(/^routebranchAfter classify\./),
    expect.stringMatching(/^refundprompt.*After route, on the way refund\./),
    expect.stringMatching(/^otherprompt/),
    expect.stringMatching(/^answertransform/),
  ]);
  expect(await screen.findByText('Nothing is wrong with it.')).toBeInTheDocument();
});

test('faults stand with their lines, and at their steps in the picture', async () => {
  server({ definition: null, steps: [], faults: [{ line: null, pointer: '/steps/1/otherwise', detail: 'no step is called so' }, { line: 3, pointer: '/input_schema', detail: 'it is no schema' }] });
  draw(<NewWorkflow />);
  const faults = await screen.findByRole('list', { name: 'What must be mended' });
  expect(within(faults).getAllByRole('button').map((fault) => fault.textContent)).toEqual(['Line 3: it is no schema', 'Line 27: no step is called so']);
  expect(screen.getByRole('button', { name: /^route/ })).toHaveTextContent('1 fault');
  await userEvent.type(screen.getByRole('textbox', { name: /^Name/ }), 'Desk');
  await userEvent.click(screen.getByRole('button', { name: 'Create' }));
  expect(screen.getByText('2 things must be mended')).toBeInTheDocument();
});

test('what the server refuses when it is saved is told at its line', async () => {
  const requests = server();
  draw(<NewWorkflow />);
  await userEvent.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Desk');
  await userEvent.click(screen.getByRole('button', { name: 'Create' }));
  expect(await screen.findByRole('button', { name: /Line 2\d: it leads in a circle/ })).toBeInTheDocument();
  const sent = requests.find(({ method, url }) => method === 'POST' && url.endsWith('/api/targets'));
  expect(await sent?.json()).toEqual({ name: 'Desk', description: null, definition: { kind: 'workflow', steps: [] } });
});

test('another example replaces what was written only when that is wanted', async () => {
  server();
  draw(<NewWorkflow />);
  const text = await screen.findByRole('textbox', { name: 'Text of the workflow' });
  await userEvent.click(screen.getByRole('button', { name: /^One step/ }));
  await waitFor(() => expect(text).toHaveTextContent('name: answer'));
  expect(text).not.toHaveTextContent('classify');
  await userEvent.click(text);
  await userEvent.keyboard('#');
  const written = text.textContent;
  await userEvent.click(screen.getByRole('button', { name: /^Ask a person/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }));
  expect(text.textContent).toBe(written);
  await userEvent.click(screen.getByRole('button', { name: /^Ask a person/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Replace it' }));
  await waitFor(() => expect(text).toHaveTextContent('name: approve'));
}, 20_000);
