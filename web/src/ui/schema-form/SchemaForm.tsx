import { Stack } from '@mantine/core';

import { Form } from '~/ui/schema-form/context';
import { FieldsOf } from '~/ui/schema-form/ObjectField';
import type { SchemaFormState } from '~/ui/schema-form/useSchemaForm';

interface Props {
  form: SchemaFormState;
  /**
   * Where the words are looked up in the messages of `kinds`: `evaluator.contains`, `target.agent`. Empty for a schema
   * that somebody wrote, whose own words count.
   */
  scope: string;
  disabled?: boolean;
  /** Fields that the screen draws itself, or leaves out. */
  hide?: readonly string[];
}

/** The fields of a value that a JSON schema describes. It stands within the screen's own `<form>`. */
export function SchemaForm({ form, scope, disabled = false, hide = [] }: Props) {
  const { root, value, setValue } = form;
  if (root.shape.kind !== 'object') return null;
  const fields = root.shape.fields().filter(({ name }) => !hide.includes(name));
  return (
    <Form value={{ form, scope, disabled }}>
      <Stack gap="md">
        <FieldsOf fields={fields} path={[]} place={[]} value={value} onChange={setValue} />
      </Stack>
    </Form>
  );
}
