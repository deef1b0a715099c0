import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { type FieldProps, type Path, useForm, useWords } from '~/ui/schema-form/context';
import { FieldInput } from '~/ui/schema-form/FieldInput';
import { Frame } from '~/ui/schema-form/Frame';
import type { Field, JsonObject, ShapeOf } from '~/ui/schema-form/schema';
import { blank, cleared, isObject, withKey } from '~/ui/schema-form/values';

interface FieldsProps {
  fields: Field[];
  path: Path;
  place: readonly string[];
  value: JsonObject;
  onChange: (value: JsonObject) => void;
}

/** The fields of an object, one below the other. */
export function FieldsOf({ fields, path, place, value, onChange }: FieldsProps) {
  return fields.map((field) => (
    <FieldInput key={field.name} field={field} path={[...path, field.name]} place={[...place, field.name]} value={value[field.name]} onChange={(next) => onChange(withKey(value, field.name, next))} />
  ));
}

/** An object within another. One that may be missing altogether is added and taken out by a button. */
export function ObjectField({ shape, value, onChange, ...rest }: FieldProps & { shape: ShapeOf<'object'> }) {
  const { t } = useTranslation(['ui', 'common']);
  const { disabled } = useForm();
  const { label } = useWords(rest);
  const { field, path, place } = rest;
  const given = isObject(value) ? value : undefined;
  const inList = typeof path.at(-1) === 'number';
  const mayBeMissing = !inList && (field.nullable || (!field.required && field.fallback === undefined));
  if (mayBeMissing && !given) {
    const add = (
      <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} disabled={disabled} onClick={() => onChange(blank(field))}>
        {t('form.add', { field: label })}
      </Button>
    );
    return (
      <Frame {...rest} aside={add}>
        {null}
      </Frame>
    );
  }
  const change = (next: JsonObject) => onChange(Object.keys(next).length > 0 || field.required || mayBeMissing ? next : undefined);
  const remove = mayBeMissing && (
    <Button variant="default" size="xs" disabled={disabled} onClick={() => onChange(cleared(field))}>
      {t('form.removeItem', { item: label })}
    </Button>
  );
  return (
    <Frame {...rest} aside={remove}>
      <FieldsOf fields={shape.fields()} path={path} place={place} value={given ?? {}} onChange={change} />
    </Frame>
  );
}
