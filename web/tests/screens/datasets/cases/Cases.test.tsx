import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import Cases from '~/screens/datasets/cases/Cases';

import { draw } from '../../../render';
import { serve } from '../../../server';
import { kinds, me, page, problem, stored } from '../samples';
import { WithinDataset } from '../withinDataset';

// Typing into a drawn form takes long where many tests share a core.
vi.setConfig({ testTimeout: 20_000 });

const CASES = '/api/eval/datasets/d1/cases';

function open(answers: Parameters<typeof serve>[0] = {}, address = '/datasets/d1') {
  const seen = serve({
    'GET /api/auth/me': { body: me },
    [`GET ${CASES}`]: { body: page([stored]) },
    [`GET ${CASES}/c1`]: { body: stored },
    'GET /api/eval/evaluator-kinds': { body: kinds },
    ...answers,
  });
  draw(
    <WithinDataset>
      <Cases />
    </WithinDataset>,
    address,
  );
  return seen;
}

/** A field that may be typed into, which it may once the role is known. */
async function field(label: RegExp | string) {
  const found = await screen.findByLabelText(label);
  await waitFor(() => expect(found).toBeEnabled());
  return found;
}

const sent = (seen: Request[], method: string) => seen.filter((request) => request.method === method);
const bodyOf = async (request: Request | undefined) => (await request?.clone().json()) as Record<string, unknown>;

test('a case is listed with what it expects and what grades it', async () => {
  open();
  const row = await screen.findByRole('row', { name: /Can I return it/ });
  expect(row).toHaveTextContent('Explains the window.');
  expect(row).toHaveTextContent('2 assertions');
  expect(within(row).getByRole('switch', { name: 'Runs: Can I return it?' })).toBeChecked();
});

test('filters stand in the address and are asked for', async () => {
  const seen = open({}, '/datasets/d1?status=draft&enabled=false&tag=a&q=x');
  await vi.waitFor(() => expect(seen.map(({ url }) => new URL(url).search)).toContain('?q=x&status=draft&enabled=false&tag=a&page=1&size=50'));
});

test('several are added one after the other by the keyboard', async () => {
  const seen = open({ [`POST ${CASES}`]: { status: 201, body: stored } }, '/datasets/d1?case=new');
  await userEvent.type(await field(/Prompt/), 'New one');
  await userEvent.click(screen.getByRole('button', { name: 'Add an assertion' }));
  await userEvent.keyboard('First{Enter}Second{Alt>}{ArrowUp}{/Alt}');
  expect(screen.getAllByLabelText(/^Assertion \d/).map((field) => (field as HTMLTextAreaElement).value)).toEqual(['Second', 'First']);
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await vi.waitFor(() => expect(sent(seen, 'POST')).toHaveLength(1));
  expect(await bodyOf(sent(seen, 'POST')[0])).toMatchObject({ input: 'New one', assertions: ['Second', 'First'], key: null, expected_output: null });
  await waitFor(() => expect(screen.getByLabelText(/Prompt/)).toHaveValue(''));
});

test('it warns when nothing would grade the case', async () => {
  open({}, '/datasets/d1?case=new');
  expect(await screen.findByText('Nothing would grade this case')).toBeInTheDocument();
  await userEvent.type(await field('Expected behaviour'), 'Is kind');
  expect(screen.queryByText('Nothing would grade this case')).toBeNull();
});

test('a case without a prompt is not sent', async () => {
  const seen = open({}, '/datasets/d1?case=new');
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  expect(screen.getByText('Write what is asked.')).toBeInTheDocument();
  expect(sent(seen, 'POST')).toEqual([]);
});

test('only the changed fields are sent, and faults stand at their fields', async () => {
  const seen = open({ [`PUT ${CASES}/c1`]: problem(422, '/key: is taken', [{ pointer: '/key', detail: 'is taken by another' }]) }, '/datasets/d1?case=c1');
  await userEvent.type(await field('Key'), 'k');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(screen.getByLabelText('Key')).toHaveAccessibleDescription(/is taken by another/));
  expect(await bodyOf(sent(seen, 'PUT')[0])).toEqual({ key: 'k' });
});

test('what somebody else saved meanwhile is shown, and may be written over', async () => {
  const theirs = { ...stored, input: 'Theirs', tags: ['a', 'b'] };
  let reads = 0;
  const seen = open(
    {
      [`GET ${CASES}/c1`]: () => ({ body: reads++ === 0 ? stored : theirs }),
      [`PUT ${CASES}/c1`]: () => (sent(seen, 'PUT').length === 1 ? problem(412, 'it was changed') : { body: theirs }),
    },
    '/datasets/d1?case=c1',
  );
  const prompt = await field(/Prompt/);
  await userEvent.clear(prompt);
  await userEvent.type(prompt, 'Mine');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  const dialog = await screen.findByRole('dialog', { name: 'Somebody else has changed this case meanwhile' });
  await vi.waitFor(() => expect(within(dialog).getByRole('row', { name: 'Prompt Theirs Mine' })).toBeInTheDocument());
  expect(within(dialog).getByRole('row', { name: /^Tags/ })).toHaveTextContent('unchanged');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Write mine over it' }));
  await vi.waitFor(() => expect(sent(seen, 'PUT')).toHaveLength(2));
  expect(await bodyOf(sent(seen, 'PUT')[1])).toEqual({ input: 'Mine' });
});

test('leaving with something typed asks', async () => {
  open({}, '/datasets/d1?case=c1');
  await userEvent.type(await field('Name'), 'x');
  await userEvent.keyboard('{Escape}');
  const dialog = await screen.findByRole('dialog', { name: 'Leave without saving?' });
  await userEvent.click(within(dialog).getByRole('button', { name: 'Leave without saving' }));
  await waitFor(() => expect(screen.queryByLabelText('Name')).toBeNull());
});

test('an evaluator of its own is chosen by kind and filled in', async () => {
  const seen = open({ [`PUT ${CASES}/c1`]: { body: stored } }, '/datasets/d1?case=c1');
  await userEvent.click(await screen.findByRole('button', { name: 'Add an evaluator' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add an evaluator' });
  await userEvent.click(await within(dialog).findByRole('button', { name: /^Contains/ }));
  await userEvent.type(within(dialog).getByLabelText(/^Text/), '30');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(sent(seen, 'PUT')).toHaveLength(1));
  expect(await bodyOf(sent(seen, 'PUT')[0])).toEqual({ evaluators: [{ name: 'contains', weight: 1, spec: { kind: 'contains', text: '30' }, evaluator_id: null, version: null }] });
});

test('the chosen cases are changed together', async () => {
  const seen = open({ [`POST ${CASES}/bulk`]: { body: { changed: 1, missing: [] } } });
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Choose Can I return it?' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Mark as draft' }));
  await vi.waitFor(() => expect(sent(seen, 'POST')).toHaveLength(1));
  expect(await bodyOf(sent(seen, 'POST')[0])).toEqual({ case_ids: ['c1'], action: 'draft' });
});

test('a viewer reads, and is told why not more', async () => {
  open({ 'GET /api/auth/me': { body: { ...me, role: 'viewer' } } }, '/datasets/d1?case=c1');
  expect(await screen.findByLabelText(/Prompt/)).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true');
  expect(screen.getByText(/needs the role Editor/)).toBeInTheDocument();
});
