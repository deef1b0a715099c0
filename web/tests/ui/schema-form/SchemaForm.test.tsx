import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { changeLanguage } from '~/i18n';
import type { JsonObject, JsonSchema } from '~/ui/schema-form/schema';
import { SchemaForm } from '~/ui/schema-form/SchemaForm';
import { type SchemaFormState, useSchemaForm } from '~/ui/schema-form/useSchemaForm';

import { draw } from '../../render';
import { agent, contains } from './schemas';

/** Draws a form; `form()` is its present state. */
function drawForm(schema: JsonSchema, initial?: JsonObject, scope = 'evaluator.none'): () => SchemaFormState {
  let state: SchemaFormState | undefined;
  function Harness() {
    const form = useSchemaForm(schema, initial);
    state = form;
    return <SchemaForm form={form} scope={scope} />;
  }
  draw(<Harness />);
  return () => {
    if (!state) throw new Error('the form was not drawn');
    return state;
  };
}

const user = userEvent.setup();

test('only what was set is in the value', async () => {
  const form = drawForm(contains);
  expect(form().value).toEqual({});
  await user.type(screen.getByLabelText(/Rubric/), 'polite');
  await user.click(screen.getByLabelText('Ignore case'));
  expect(form().value).toEqual({ rubric: 'polite', ignore_case: true });
  await user.clear(screen.getByLabelText(/Rubric/));
  expect(form().value).toEqual({ ignore_case: true });
});

test('defaults are shown, not set', () => {
  const form = drawForm(contains);
  expect(screen.getByLabelText('Threshold')).toHaveAttribute('placeholder', 'default: 0.9');
  expect(screen.getByRole('combobox', { name: 'Mode' })).toHaveValue('subset');
  expect(form().value).toEqual({});
});

test('a choice of three for what may be unset', async () => {
  const form = drawForm(contains);
  await user.click(screen.getByRole('combobox', { name: 'Exists' }));
  await user.click(await screen.findByRole('option', { name: 'No' }));
  expect(form().value).toEqual({ exists: false });
});

test('a number is a number', async () => {
  const form = drawForm(contains);
  await user.type(screen.getByLabelText('Threshold'), '0,75');
  expect(form().value).toEqual({ threshold: 0.75 });
  await user.type(screen.getByLabelText('Threshold'), 'x');
  expect(screen.getByText('This is not a number.')).toBeInTheDocument();
  expect(form().validate()).toBe(false);
  await user.clear(screen.getByLabelText('Threshold'));
  expect(form().value).toEqual({});
});

test('faults appear when it is sent, and go when they are mended', async () => {
  const form = drawForm(contains);
  expect(screen.queryByText('This is needed.')).toBeNull();
  let sent = true;
  act(() => void (sent = form().validate()));
  expect(sent).toBe(false);
  expect(screen.getByLabelText(/Rubric/)).toHaveAccessibleDescription(expect.stringContaining('This is needed.'));
  await user.type(screen.getByLabelText(/Rubric/), 'x');
  expect(screen.queryByText('This is needed.')).toBeNull();
  expect(form().validate()).toBe(true);
});

test('the server’s faults stand at their fields; those of others are handed back', async () => {
  const form = drawForm(agent, { model: 'm', servers: [{ name: 'a' }] });
  const faults = [
    { pointer: '/definition/servers/0/name', detail: 'is taken' },
    { pointer: '/definition/expected/deep/down', detail: 'does not fit' },
    { pointer: '/name', detail: 'is empty' },
  ];
  let others: unknown;
  act(() => void (others = form().setServerErrors(faults, '/definition')));
  expect(others).toEqual([{ pointer: '/name', detail: 'is empty' }]);
  expect(within(screen.getByRole('group', { name: 'Servers 1' })).getByLabelText(/Name/)).toHaveAccessibleDescription(expect.stringContaining('is taken'));
  expect(screen.getByText('does not fit')).toBeInTheDocument();
});

test('lists of objects grow, shrink and keep their order', async () => {
  const form = drawForm(agent);
  for (const name of ['a', 'b']) {
    await user.click(screen.getByRole('button', { name: 'Add to “Servers”' }));
    await user.type(screen.getAllByLabelText(/^Name/).at(-1) as HTMLElement, name);
  }
  await user.click(screen.getByRole('button', { name: 'Move Servers 2 up' }));
  expect(form().value).toEqual({ servers: [{ name: 'b' }, { name: 'a' }] });
  await user.click(screen.getByRole('button', { name: 'Remove Servers 1' }));
  await user.click(screen.getByRole('button', { name: 'Remove Servers 1' }));
  expect(form().value).toEqual({});
});

test('maps take names, and refuse one that is there twice', async () => {
  const form = drawForm(agent, { model: 'm' });
  await user.click(screen.getByRole('button', { name: 'Add to “Headers”' }));
  const headers = screen.getByRole('group', { name: 'Headers' });
  await user.type(within(headers).getByLabelText('Name'), 'X-A');
  await user.type(within(headers).getByLabelText(/^Value/), '1');
  expect(form().value.headers).toEqual({ 'X-A': '1' });
  await user.click(screen.getByRole('button', { name: 'Add to “Headers”' }));
  await user.type(within(headers).getAllByLabelText('Name')[1] as HTMLElement, 'X-A');
  expect(within(headers).getByText('This name is there already.')).toBeInTheDocument();
  expect(form().validate()).toBe(false);
});

test('a value of one of several kinds', async () => {
  const form = drawForm(agent, { model: 'm', counts: { search: 2 } });
  const counts = screen.getByRole('group', { name: 'Counts' });
  await user.click(within(counts).getByRole('combobox', { name: 'Kind of Value' }));
  await user.click(await screen.findByRole('option', { name: 'Count' }));
  expect(within(counts).getByRole('combobox', { name: /^Op/ })).toBeInTheDocument();
  await user.type(within(counts).getByLabelText(/^N( |$)/), '3');
  expect(form().value.counts).toEqual({ search: { n: 3 } });
});

test('a new entry begins with the example that the schema gives', async () => {
  const form = drawForm(agent, { model: 'm' });
  await user.click(screen.getByRole('button', { name: 'Add to “Counts”' }));
  const counts = screen.getByRole('group', { name: 'Counts' });
  expect(within(counts).getByRole('combobox', { name: 'Kind of Value' })).toHaveValue('Whole number');
  await user.type(within(counts).getByLabelText('Name'), 'search');
  expect(form().value.counts).toEqual({ search: 1 });
});

test('free JSON is read, and what is no JSON keeps the form from being sent', async () => {
  const form = drawForm(agent, { model: 'm' });
  const type = (text: string) => fireEvent.change(screen.getByLabelText('Expected'), { target: { value: text } });
  type('{"a": [1]}');
  expect(form().value.expected).toEqual({ a: [1] });
  type('{"a": ');
  expect(screen.getByText(/This is not JSON/)).toBeInTheDocument();
  expect(form().value.expected).toEqual({ a: [1] });
  expect(form().validate()).toBe(false);
  type('');
  expect(form().value).toEqual({ model: 'm' });
  expect(form().validate()).toBe(true);
});

test('an object is wanted where only objects fit', () => {
  const form = drawForm(agent, { model: 'm' });
  fireEvent.change(screen.getByLabelText('Settings'), { target: { value: '[1]' } });
  expect(screen.getByText('An object is wanted: {…}')).toBeInTheDocument();
  expect(form().validate()).toBe(false);
});

test('nested objects with defaults hold only what was set', async () => {
  const form = drawForm(agent, { model: 'm' });
  await user.type(within(screen.getByRole('group', { name: 'Limits' })).getByLabelText('Steps'), '7');
  expect(form().value).toEqual({ model: 'm', limits: { steps: 7 } });
});

test('the words of a kind are in the reader’s language, where there are any', async () => {
  await changeLanguage('fr');
  try {
    drawForm(contains, {}, 'evaluator.llm_judge');
    expect(screen.getByLabelText(/Consigne/)).toHaveAccessibleDescription(/Ce qu’est une bonne réponse/);
    expect(screen.getByLabelText('Seuil')).toBeInTheDocument();
    expect(screen.getByRole('combobox', { name: 'Mode' })).toBeInTheDocument();
    cleanup();
    drawForm(agent, { model: 'm', counts: { search: { op: '==', n: 1 } } }, 'evaluator.tool_call_count');
    expect(screen.getByRole('combobox', { name: /Comparaison/ })).toBeInTheDocument();
  } finally {
    await changeLanguage('en');
  }
});
