import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';

import { type CaseDraft, inputFault, NEW_CASE, valuesOf } from '~/screens/datasets/cases/caseDraft';
import { CaseInput } from '~/screens/datasets/cases/CaseInput';
import { SchemaFit } from '~/screens/datasets/cases/SchemaFit';
import type { JsonSchema } from '~/ui/schema-form/schema';
import { typedOf } from '~/ui/typedValue';

import { draw } from '../../../render';

const SCHEMA: JsonSchema = { type: 'object', properties: { subject: { type: 'string' }, lines: { type: 'integer' } }, required: ['subject'], additionalProperties: false };

function Shown({ schema, initial = NEW_CASE }: { schema: JsonSchema | null; initial?: CaseDraft }) {
  const [draft, setDraft] = useState(initial);
  return (
    <>
      <CaseInput draft={draft} onChange={(changes) => setDraft({ ...draft, ...changes })} disabled={false} autoFocus={false} schema={schema} tried={false} />
      <output>{inputFault(draft) ?? JSON.stringify(valuesOf(draft).input)}</output>
    </>
  );
}

test('the input is given by the fields that the target takes', async () => {
  draw(<Shown schema={SCHEMA} />);
  expect(screen.getByRole('status')).toHaveTextContent('missing');
  await userEvent.type(screen.getByLabelText(/^Subject/), 'It broke');
  await userEvent.type(screen.getByLabelText(/^Lines/), '3');
  expect(screen.getByRole('status')).toHaveTextContent('{"subject":"It broke","lines":3}');
});

test('text that is there stays text, and fields can be left for JSON', async () => {
  const { unmount } = draw(<Shown schema={SCHEMA} initial={{ ...NEW_CASE, input: 'a question' }} />);
  expect(screen.getByDisplayValue('a question')).toBeInTheDocument();
  expect(screen.getByText('"a question"')).toBeInTheDocument();
  unmount();
  draw(<Shown schema={SCHEMA} initial={{ ...NEW_CASE, inputAs: 'json', input: '{"subject": "x"}' }} />);
  expect(screen.getByLabelText(/^Subject/)).toHaveValue('x');
  await userEvent.click(screen.getByRole('radio', { name: 'Text or JSON' }));
  expect(screen.getByDisplayValue('{"subject": "x"}')).toBeInTheDocument();
});

test('without a schema it is a text, or JSON', () => {
  draw(<Shown schema={null} />);
  expect(screen.getByRole('radio', { name: 'JSON' })).toBeInTheDocument();
});

test('what does not fit is told; what fits, and what nothing is known of, is not', () => {
  const drawn = (value: object, schema: JsonSchema | null = SCHEMA) => draw(<SchemaFit title="Odd" schema={schema} value={typedOf(value as never)} />);
  const first = drawn({ colour: 'red' });
  expect(screen.getByRole('status')).toHaveTextContent('Odd“subject” is missing. It has no “colour”.');
  first.unmount();
  const second = drawn({ subject: 'x' });
  expect(screen.queryByRole('status')).toBeNull();
  second.unmount();
  drawn({ colour: 'red' }, null);
  expect(screen.queryByRole('status')).toBeNull();
});
