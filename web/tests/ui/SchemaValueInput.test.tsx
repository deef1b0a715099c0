import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';

import type { JsonSchema } from '~/ui/schema-form/schema';
import { SchemaValueInput, valueOfFields } from '~/ui/SchemaValueInput';
import { NOTHING_TYPED, type Typed } from '~/ui/typedValue';

import { draw } from '../render';

const SCHEMA: JsonSchema = { type: 'object', properties: { question: { type: 'string' }, urgent: { type: 'boolean' } }, required: ['question', 'urgent'] };

function Harness({ schema = SCHEMA, tried = false, initial = NOTHING_TYPED }: { schema?: JsonSchema | null; tried?: boolean; initial?: Typed }) {
  const [value, setValue] = useState(initial);
  return (
    <>
      <SchemaValueInput label="Input" schema={schema} value={value} onChange={setValue} tried={tried} />
      <button onClick={() => setValue({ text: '{"question": "again"}', as: 'auto' })}>again</button>
      <output data-testid="sent">{JSON.stringify(valueOfFields(schema, value))}</output>
    </>
  );
}

test('fields give the object, with what gives itself', async () => {
  draw(<Harness />);
  expect(screen.getByTestId('sent')).toHaveTextContent('{"value":{"urgent":false},"fits":false}');
  await userEvent.type(screen.getByRole('textbox', { name: /Question/ }), 'Why?');
  expect(screen.getByTestId('sent')).toHaveTextContent('{"value":{"question":"Why?","urgent":false},"fits":true}');
});

test('the same value can be written as JSON, and what is no object stays text', async () => {
  draw(<Harness initial={{ text: '{"question": "x"}', as: 'auto' }} />);
  await userEvent.click(screen.getByRole('radio', { name: 'Text or JSON' }));
  const text = screen.getByRole('textbox', { name: 'Input' });
  expect(text).toHaveValue('{"question": "x"}');
  await userEvent.clear(text);
  await userEvent.type(text, 'just words');
  expect(screen.getByTestId('sent')).toHaveTextContent('null');
  expect(screen.getByRole('radio', { name: 'Fields' })).toBeDisabled();
});

test('a value from elsewhere begins the fields anew', async () => {
  draw(<Harness />);
  await userEvent.type(screen.getByRole('textbox', { name: /Question/ }), 'Why?');
  await userEvent.click(screen.getByRole('button', { name: 'again' }));
  expect(screen.getByRole('textbox', { name: /Question/ })).toHaveValue('again');
});

test('what is missing is told once somebody has tried', () => {
  draw(<Harness tried />);
  expect(screen.getByText('This is needed.')).toBeInTheDocument();
});

test('a schema without fields is a text', () => {
  draw(<Harness schema={{ type: 'string' }} />);
  expect(screen.getByRole('textbox', { name: 'Input' })).toBeInTheDocument();
  expect(screen.queryByRole('radio')).toBeNull();
});
