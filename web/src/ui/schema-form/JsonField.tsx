import { Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { FieldProps } from '~/ui/schema-form/context';
import { useInputProps } from '~/ui/schema-form/inputProps';
import type { Json, ShapeOf } from '~/ui/schema-form/schema';
import { useTypedText } from '~/ui/schema-form/typedText';
import { isObject } from '~/ui/schema-form/values';

import classes from './JsonField.module.css';

/** Any JSON, typed as text. */
export function JsonField({ shape, ...props }: FieldProps & { shape: ShapeOf<'json'> }) {
  const { t } = useTranslation('ui');
  const shared = useInputProps(props);
  const read = (text: string) => {
    const { value, reason } = parse(text);
    if (reason !== undefined) return { reason: t('form.jsonFault', { reason }) };
    return shape.object && !isObject(value) ? { reason: t('form.notAnObject') } : { value };
  };
  const { text, type } = useTypedText(props, { show, read });
  const { fallback } = props.field;
  return (
    <Textarea
      {...shared}
      description={
        <>
          {shared.description} {shape.object ? t('form.jsonObjectHelp') : t('form.jsonHelp')}
        </>
      }
      placeholder={fallback === undefined || fallback === null ? undefined : t('form.default', { value: JSON.stringify(fallback) })}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      autosize
      minRows={2}
      maxRows={20}
      spellCheck={false}
      classNames={{ input: classes.input }}
    />
  );
}

function show(value: Json | undefined): string {
  return value === undefined || value === null ? '' : JSON.stringify(value, null, 2);
}

function parse(text: string): { value: Json; reason?: string } {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    return { value: null, reason: error instanceof Error ? error.message : String(error) };
  }
}
