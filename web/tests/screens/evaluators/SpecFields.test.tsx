import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { SpecFields } from '~/screens/evaluators/SpecFields';
import type { JsonObject, JsonSchema } from '~/ui/schema-form/schema';
import { useSchemaForm } from '~/ui/schema-form/useSchemaForm';

import { draw } from '../../render';

const ORDER: JsonSchema = { type: 'object', properties: { tools: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }], default: null, title: 'Tools' }, threshold: { type: 'number', title: 'Threshold' } } };

function Shown({ initial = {}, kind = 'tool_call_order' }: { initial?: JsonObject; kind?: string }) {
  const form = useSchemaForm(ORDER, initial);
  return (
    <>
      <SpecFields form={form} kind={kind} />
      <output>{JSON.stringify(form.value)}</output>
    </>
  );
}

test('that no tool may be called is an empty list; to say nothing is another thing', async () => {
  draw(<Shown initial={{ threshold: 1 }} />);
  const none = screen.getByRole('switch', { name: 'No tool may be called' });
  expect(none).not.toBeChecked();
  await userEvent.click(none);
  expect(screen.getByRole('status')).toHaveTextContent('{"threshold":1,"tools":[]}');
  expect(screen.queryByRole('button', { name: 'Add to “Tools”' })).toBeNull();
  await userEvent.click(none);
  expect(screen.getByRole('status')).toHaveTextContent('{"threshold":1}');
  expect(screen.getByRole('button', { name: 'Add to “Tools”' })).toBeInTheDocument();
});

test('it is shown as it was saved, and only for kinds that look at calls', () => {
  const { unmount } = draw(<Shown initial={{ tools: [] }} />);
  expect(screen.getByRole('switch', { name: 'No tool may be called' })).toBeChecked();
  unmount();
  draw(<Shown kind="tool_call_count" />);
  expect(screen.queryByRole('switch')).toBeNull();
});
