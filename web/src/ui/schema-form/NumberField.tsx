import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { FieldProps } from '~/ui/schema-form/context';
import { useInputProps } from '~/ui/schema-form/inputProps';
import type { Json } from '~/ui/schema-form/schema';
import { type Reading, useTypedText } from '~/ui/schema-form/typedText';

import classes from './Frame.module.css';

const NUMBER = /^[-+]?(\d+[.,]?\d*|[.,]\d+)(e[-+]?\d+)?$/i;

/** A number, with a comma or a point. Limits are told, not forced upon what is typed. */
export function NumberField(props: FieldProps) {
  const { t, i18n } = useTranslation('ui');
  const shared = useInputProps(props);
  const mark = new Intl.NumberFormat(i18n.language).format(1.5).charAt(1);
  const show = (value: Json | undefined) => (typeof value === 'number' ? String(value).replace('.', mark) : '');
  const { text, type } = useTypedText(props, { show, read: (typed) => readNumber(typed) ?? { reason: t('form.notANumber') } });
  return <TextInput {...shared} value={text} onChange={({ currentTarget }) => type(currentTarget.value)} inputMode="decimal" autoComplete="off" classNames={{ wrapper: classes.short }} />;
}

/** Null when it is not a number. Spaces may group the digits. */
export function readNumber(text: string): Reading | null {
  const plain = text.replace(/\s/g, '');
  return NUMBER.test(plain) ? { value: Number(plain.replace(',', '.')) } : null;
}
