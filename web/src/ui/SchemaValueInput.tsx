import { Group, Input, SegmentedControl } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { check } from '~/ui/schema-form/check';
import { type JsonObject, type JsonSchema, readSchema } from '~/ui/schema-form/schema';
import { SchemaForm } from '~/ui/schema-form/SchemaForm';
import { useSchemaForm } from '~/ui/schema-form/useSchemaForm';
import { completed, isObject } from '~/ui/schema-form/values';
import { readTyped, type Typed, typedOf } from '~/ui/typedValue';
import { TypedValueInput } from '~/ui/TypedValueInput';

import classes from './SchemaValueInput.module.css';

interface Props {
  label: string;
  description?: ReactNode;
  placeholder?: string;
  /** What the value must fit, where that is known. */
  schema: JsonSchema | null;
  value: Typed;
  onChange: (value: Typed) => void;
  /** Whether somebody has tried to send it, so that what is missing is shown. */
  tried: boolean;
  error?: ReactNode;
  minRows?: number;
  disabled?: boolean;
}

/** A value by the fields of its schema, or as text or JSON; as text alone where the schema has no fields. */
export function SchemaValueInput({ schema, tried, ...input }: Props) {
  const { t } = useTranslation('ui');
  const [asText, setAsText] = useState(false);
  const [shown, setShown] = useState({ text: input.value.text, times: 0 });
  const fields = withFields(schema);
  const given = objectIn(input.value);
  const id = useId();
  // Another value than the fields gave, say that of an earlier run, begins them anew.
  if (input.value.text !== shown.text) setShown({ text: input.value.text, times: shown.times + 1 });
  if (!fields) return <TypedValueInput {...input} />;
  const byFields = !asText && given !== null;
  return (
    <div role="group" aria-labelledby={id}>
      <Group justify="space-between" mb={byFields ? 8 : 4} gap="xs">
        <Input.Label component="div" id={id}>
          {input.label}
        </Input.Label>
        <SegmentedControl
          size="xs"
          aria-label={t('typed.how')}
          value={byFields ? 'fields' : 'text'}
          onChange={(how) => setAsText(how === 'text')}
          data={[
            { value: 'fields', label: t('typed.fields'), disabled: given === null },
            { value: 'text', label: t('typed.asText') },
          ]}
        />
      </Group>
      {byFields ? (
        <div className={classes.fields}>
          {input.description && <Input.Description mb="xs">{input.description}</Input.Description>}
          <Fields
            key={shown.times}
            schema={fields}
            initial={given}
            tried={tried}
            disabled={input.disabled}
            onChange={(value) => {
              setShown({ ...shown, text: value.text });
              input.onChange(value);
            }}
          />
          {input.error && <Input.Error role="alert">{input.error}</Input.Error>}
        </div>
      ) : (
        <TypedValueInput {...input} />
      )}
    </div>
  );
}

interface FieldsProps {
  schema: JsonSchema;
  initial: JsonObject;
  tried: boolean;
  disabled?: boolean;
  onChange: (value: Typed) => void;
}

function Fields({ schema, initial, tried, disabled, onChange }: FieldsProps) {
  const form = useSchemaForm(schema, initial);
  const setValue = (next: JsonObject) => {
    form.setValue(next);
    onChange(typedOf(next));
  };
  const validate = useEffectEvent(() => void form.validate());
  useEffect(() => {
    if (tried) validate();
  }, [tried]);
  return <SchemaForm form={{ ...form, setValue }} scope="" disabled={disabled} />;
}

/** A schema of an object whose fields are named; null for any other. */
export function withFields(schema: unknown): JsonSchema | null {
  const found = schema as JsonSchema | null | undefined;
  return found && typeof found === 'object' && found.properties && Object.keys(found.properties).length > 0 ? { ...found, type: 'object' } : null;
}

/** What was typed as an object, an empty one for nothing; null where it is none. */
function objectIn(typed: Typed): JsonObject | null {
  const read = readTyped(typed);
  if (read.kind === 'none') return {};
  return read.kind === 'json' && isObject(read.value) ? read.value : null;
}

/**
 * What is to be sent of a value that was given by the fields of a schema, and whether nothing plain is wrong with it;
 * null where it was not given so.
 */
export function valueOfFields(schema: JsonSchema | null, typed: Typed): { value: JsonObject; fits: boolean } | null {
  const fields = withFields(schema);
  const given = objectIn(typed);
  if (!fields || !given) return null;
  const root = readSchema(fields);
  const value = completed(root, given);
  return { value, fits: check(root, value).size === 0 };
}
