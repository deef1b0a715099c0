import { Select, Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { FieldProps } from '~/ui/schema-form/context';
import { useInputProps } from '~/ui/schema-form/inputProps';
import { cleared } from '~/ui/schema-form/values';

import classes from './Frame.module.css';

/** A switch; where "not set" is a third answer, a choice of three. */
export function BooleanField({ value, onChange, ...rest }: FieldProps) {
  const { t } = useTranslation(['ui', 'common']);
  const { withAsterisk, placeholder: _, 'aria-required': __, ...shared } = useInputProps(rest);
  const { nullable, fallback } = rest.field;
  if (!nullable) {
    return <Switch {...shared} checked={(value ?? fallback) === true} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />;
  }
  const options = [
    { value: '', label: t('form.unset') },
    { value: 'true', label: t('common:yes') },
    { value: 'false', label: t('common:no') },
  ];
  return (
    <Select
      {...shared}
      withAsterisk={withAsterisk}
      data={options}
      value={typeof value === 'boolean' ? String(value) : ''}
      onChange={(next) => onChange(next ? next === 'true' : cleared(rest.field))}
      allowDeselect={false}
      classNames={{ wrapper: classes.short }}
    />
  );
}
