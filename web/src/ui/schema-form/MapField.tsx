import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { type FieldProps, useForm, useWords } from '~/ui/schema-form/context';
import { FieldInput } from '~/ui/schema-form/FieldInput';
import { Frame } from '~/ui/schema-form/Frame';
import { OfferingInput } from '~/ui/schema-form/OfferingInput';
import type { Json, JsonObject, Shape, ShapeOf } from '~/ui/schema-form/schema';
import { blank, isObject, pointerOf } from '~/ui/schema-form/values';

import classes from './Frame.module.css';

type Row = [key: string, value: Json];

/** What takes several lines stands below its name. */
const TALL: ReadonlySet<Shape['kind']> = new Set(['object', 'union', 'list', 'map']);

/** Names with a value each. Rows are kept here, since a name that is being typed may be empty, or there twice, for a while. */
export function MapField({ shape, value, onChange, ...rest }: FieldProps & { shape: ShapeOf<'map'> }) {
  const { t } = useTranslation('ui');
  const { form, disabled } = useForm();
  const { label } = useWords(rest);
  const [rows, setRows] = useState(() => rowsOf(value));
  const [last, setLast] = useState(value);
  if (JSON.stringify(value) !== JSON.stringify(last)) {
    setLast(value);
    setRows(rowsOf(value));
  }
  const item = shape.value();
  const change = (next: Row[]) => {
    const names = next.map(([key]) => key);
    const fault = names.includes('') ? t('form.keyMissing') : new Set(names).size < names.length ? t('form.keyTaken') : null;
    const kept = next.length > 0 || rest.field.required ? Object.fromEntries(next.filter(([key]) => key !== '')) : undefined;
    setRows(next);
    setLast(kept);
    form.setUnreadable(pointerOf(rest.path), fault);
    onChange(kept);
  };
  const add = (
    <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} disabled={disabled} onClick={() => change([...rows, ['', blank(item)]])}>
      {t('form.addItem', { field: label })}
    </Button>
  );
  return (
    <Frame {...rest} aside={add}>
      {rows.map(([key, entry], index) => (
        <div key={index} className={classes.row} data-pair data-tall={TALL.has(item.shape.kind) || undefined}>
          <div className={classes.key}>
            <OfferingInput offered={shape.offered} label={t('form.key')} value={key} disabled={disabled} onChange={({ currentTarget }) => change(rows.with(index, [currentTarget.value, entry]))} />
          </div>
          <div className={classes.grow}>
            <FieldInput field={item} path={[...rest.path, key]} place={rest.place} value={entry} label={t('form.value')} onChange={(next) => change(rows.with(index, [key, next ?? null]))} />
          </div>
          <div className={classes.tools} style={{ paddingBlockStart: 26 }}>
            <ActionIcon variant="subtle" color="gray" disabled={disabled} aria-label={t('form.removeItem', { item: key || t('form.item', { field: label, number: index + 1 }) })} onClick={() => change(rows.toSpliced(index, 1))}>
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </div>
        </div>
      ))}
    </Frame>
  );
}

function rowsOf(value: Json | undefined): Row[] {
  return isObject(value) ? Object.entries(value as JsonObject) : [];
}
