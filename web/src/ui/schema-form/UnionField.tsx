import { Select } from '@mantine/core';
import type { i18n as I18n } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { kindWord } from '~/ui/kindWords';
import { type FieldProps, useForm, useWords } from '~/ui/schema-form/context';
import { FieldInput } from '~/ui/schema-form/FieldInput';
import { FieldsOf } from '~/ui/schema-form/ObjectField';
import { Frame } from '~/ui/schema-form/Frame';
import type { Field, Json, ShapeOf } from '~/ui/schema-form/schema';
import { blank, cleared, fits, isObject } from '~/ui/schema-form/values';

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'json'] as const;

/** A value of one of several kinds: first which, then the value. */
export function UnionField({ shape, value, onChange, ...rest }: FieldProps & { shape: ShapeOf<'union'> }) {
  const { t, i18n } = useTranslation('ui');
  const { disabled } = useForm();
  const { label } = useWords(rest);
  const [chosen, setChosen] = useState<number | null>(null);
  const current = currentVariant(shape.variants, value, chosen);
  const variant = current === null ? undefined : shape.variants[current];
  const choose = (text: string | null) => {
    const next = text ? Number(text) : null;
    const picked = next === null ? undefined : shape.variants[next];
    setChosen(next);
    onChange(picked ? blank(picked) : cleared(rest.field));
  };
  const options = shape.variants.map((candidate, index) => ({ value: String(index), label: nameOf(candidate, (type) => t(`form.type.${type}`), i18n) }));
  return (
    <Frame {...rest}>
      <Select aria-label={t('form.variant', { field: label })} data={options} value={current === null ? null : String(current)} onChange={choose} placeholder={t('form.unset')} clearable={!rest.field.required} allowDeselect={false} disabled={disabled} maw={260} />
      {variant?.shape.kind === 'object' && <FieldsOf fields={variant.shape.fields()} path={rest.path} place={rest.place} value={isObject(value) ? value : {}} onChange={onChange} />}
      {variant && variant.shape.kind !== 'object' && <FieldInput field={variant} path={rest.path} place={rest.place} value={value} label={t('form.value')} onChange={onChange} />}
    </Frame>
  );
}

/** The one that was chosen, if the value may still be of it; else the first that the value fits. */
function currentVariant(variants: Field[], value: Json | undefined, chosen: number | null): number | null {
  if (value === undefined || value === null) return chosen;
  const own = chosen === null ? undefined : variants[chosen];
  if (own && fits(own.shape, value)) return chosen;
  const found = variants.findIndex(({ shape }) => fits(shape, value));
  return found === -1 ? null : found;
}

function nameOf({ title }: Field, word: (type: (typeof TYPES)[number]) => string, i18n: I18n): string {
  const type = TYPES.find((known) => known === title);
  return type ? word(type) : (kindWord(i18n, `models.${title}`) ?? title);
}
