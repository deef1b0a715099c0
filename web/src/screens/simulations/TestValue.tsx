import { Select, TagsInput, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { isOfNumbers, readValue, type TestDraft, testFault } from '~/screens/simulations/conditionDraft';
import type { Json } from '~/ui/schema-form/schema';

import classes from './ConditionsEditor.module.css';

interface Props {
  test: TestDraft;
  /** Of the condition, to name the field by. */
  number: number;
  tried: boolean;
  error?: string;
  onChange: (test: TestDraft) => void;
}

/** What a test compares with: one value, several, a number, or yes or no. It says what a value was taken for. */
export function TestValue({ test, number, tried, error, onChange }: Props) {
  const { t } = useTranslation(['simulations', 'ui', 'common']);
  const fault = tried ? testFault(test) : null;
  const input = { 'aria-label': t('valueOf', { number }), error: fault ? t(`fault.${fault}`) : error };
  const set = (texts: string[]) => onChange({ ...test, texts });
  const text = test.texts[0] ?? '';
  if (test.name === 'exists') {
    const data = [
      { value: 'true', label: t('common:yes') },
      { value: 'false', label: t('common:no') },
    ];
    return <Select {...input} data={data} value={text} onChange={(next) => set([next ?? 'true'])} allowDeselect={false} />;
  }
  if (test.name === 'one_of') return <TagsInput {...input} value={test.texts} onChange={set} acceptValueOnBlur />;
  const given = isOfNumbers(test.name) || text.trim() === '' ? null : <span className={classes.type}>{t(`ui:form.type.${typeOf(readValue(text))}`)}</span>;
  return <TextInput {...input} value={text} onChange={({ currentTarget }) => set([currentTarget.value])} rightSection={given} rightSectionWidth="auto" rightSectionPointerEvents="none" autoComplete="off" inputMode={isOfNumbers(test.name) ? 'decimal' : undefined} />;
}

function typeOf(value: Json): 'string' | 'number' | 'boolean' | 'array' | 'object' | 'json' {
  if (value === null) return 'json';
  if (Array.isArray(value)) return 'array';
  return typeof value as 'string' | 'number' | 'boolean' | 'object';
}
