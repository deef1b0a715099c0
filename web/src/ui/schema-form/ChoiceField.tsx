import { MultiSelect, Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { FieldProps } from '~/ui/schema-form/context';
import { useInputProps } from '~/ui/schema-form/inputProps';
import type { Json } from '~/ui/schema-form/schema';
import { cleared } from '~/ui/schema-form/values';

import classes from './Frame.module.css';

const SEARCHABLE = 8;

type Props = FieldProps & { options: Json[] };

/** One of several values. What counts while nothing is chosen is shown as chosen. */
export function ChoiceField({ options, value, onChange, ...rest }: Props) {
  const { t } = useTranslation('ui');
  const shared = useInputProps(rest);
  const { fallback, required, nullable } = rest.field;
  const shown = value ?? fallback ?? null;
  const empty = nullable && fallback === null ? [{ value: '', label: t('form.unset') }] : [];
  return (
    <Select
      {...shared}
      data={[...empty, ...options.map(asOption)]}
      value={shown === null ? (empty.length ? '' : null) : textOf(shown)}
      onChange={(text) => onChange(options.find((option) => textOf(option) === text) ?? cleared(rest.field))}
      allowDeselect={!required && empty.length === 0 && value !== undefined}
      searchable={options.length > SEARCHABLE}
      classNames={{ wrapper: classes.short }}
    />
  );
}

/** Any of several values. */
export function ChoicesField({ options, value, onChange, ...rest }: Props) {
  const shared = useInputProps(rest);
  const chosen = Array.isArray(value) ? value.map(textOf) : [];
  const take = (texts: string[]) => {
    const values = options.filter((option) => texts.includes(textOf(option)));
    onChange(values.length > 0 || rest.field.required ? values : undefined);
  };
  return <MultiSelect {...shared} data={options.map(asOption)} value={chosen} onChange={take} clearable />;
}

function textOf(option: Json): string {
  return typeof option === 'string' ? option : JSON.stringify(option);
}

function asOption(option: Json) {
  return { value: textOf(option), label: textOf(option) };
}
