import { PasswordInput, Textarea } from '@mantine/core';
import type { ChangeEvent } from 'react';

import type { FieldProps } from '~/ui/schema-form/context';
import { useInputProps } from '~/ui/schema-form/inputProps';
import { OfferingInput } from '~/ui/schema-form/OfferingInput';
import type { ShapeOf } from '~/ui/schema-form/schema';
import { cleared } from '~/ui/schema-form/values';

/** A text: one line, several, or hidden. */
export function TextField({ shape, value, onChange, ...rest }: FieldProps & { shape: ShapeOf<'text'> }) {
  const shared = useInputProps(rest);
  const inList = typeof rest.path.at(-1) === 'number';
  const props = {
    ...shared,
    value: typeof value === 'string' ? value : '',
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onChange(currentTarget.value || (inList ? '' : cleared(rest.field))),
  };
  if (shape.secret) return <PasswordInput {...props} autoComplete="off" />;
  if (shape.multiline) return <Textarea {...props} autosize minRows={3} maxRows={18} />;
  return <OfferingInput {...props} offered={shape.offered} />;
}
