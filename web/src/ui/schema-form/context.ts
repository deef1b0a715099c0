import { createContext, use } from 'react';
import { useTranslation } from 'react-i18next';

import { kindWord } from '~/ui/kindWords';
import type { Fault } from '~/ui/schema-form/check';
import type { Field, Json } from '~/ui/schema-form/schema';
import type { SchemaFormState } from '~/ui/schema-form/useSchemaForm';
import { pointerOf } from '~/ui/schema-form/values';

export type Path = readonly (string | number)[];

/** What every field is given. `onChange(undefined)`: nothing is set. */
export interface FieldProps {
  field: Field;
  path: Path;
  /** The names of fields on the way here, without places in lists and names in maps: where its words are looked up. */
  place: readonly string[];
  value: Json | undefined;
  onChange: (value: Json | undefined) => void;
  /** Shown instead of the field's own name, such as "Tool 2" in a list. */
  label?: string;
}

/** What names a field. */
export type Named = Pick<FieldProps, 'field' | 'path' | 'place' | 'label'>;

interface FormContext {
  form: SchemaFormState;
  /** Where the words are looked up: `evaluator.contains`; empty for a schema that speaks for itself. */
  scope: string;
  disabled: boolean;
}

export const Form = createContext<FormContext | null>(null);

export function useForm(): FormContext {
  const context = use(Form);
  if (!context) throw new Error('A field stands within a SchemaForm.');
  return context;
}

/**
 * A field's name and help in the reader's language: from the messages of `kinds` (of this kind, else of any kind), else
 * in the schema's own words.
 */
export function useWords({ field, place, label }: Named): { label: string; help: string } {
  const { i18n } = useTranslation();
  const { scope } = useForm();
  if (scope === '') return { label: label ?? field.title, help: label ? '' : field.help };
  const places = [`${scope}.fields.${place.join('.')}`, `any.${place.at(-1) ?? ''}`];
  const lookUp = (what: 'label' | 'help', otherwise: string) =>
    places.map((place) => kindWord(i18n, `${place}.${what}`)).find((text) => text !== null) ?? otherwise;
  return { label: label ?? lookUp('label', field.title), help: label ? '' : lookUp('help', field.help) };
}

/** What is wrong at this field, in words; null when nothing is. A field without parts also tells of what lies below it. */
export function useFault(path: Path, parts = false): string | null {
  const { t } = useTranslation('ui');
  const { form } = useForm();
  const here = pointerOf(path);
  const unreadable = form.unreadable.get(here);
  if (unreadable !== undefined) return unreadable;
  const below = [...form.told].find(([pointer]) => pointer === here || (!parts && pointer.startsWith(`${here}/`)));
  if (below) return below[1];
  const fault: Fault | undefined = form.faults.get(here);
  if (!fault) return null;
  if (fault.key === 'tooFew') return t('form.tooFew', { count: fault.count });
  if ('limit' in fault) return t(`form.${fault.key}`, { limit: fault.limit });
  if ('pattern' in fault) return t('form.doesNotMatch', { pattern: fault.pattern });
  return t(`form.${fault.key}`);
}
