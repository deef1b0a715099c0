import { ActionIcon, Button } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { type FieldProps, useForm, useWords } from '~/ui/schema-form/context';
import { FieldInput } from '~/ui/schema-form/FieldInput';
import { Frame } from '~/ui/schema-form/Frame';
import type { Json, ShapeOf } from '~/ui/schema-form/schema';
import { blank } from '~/ui/schema-form/values';

import classes from './Frame.module.css';

/** Entries one below the other; they can be added, moved and taken out. */
export function ListField({ shape, value, onChange, ...rest }: FieldProps & { shape: ShapeOf<'list'> }) {
  const { t } = useTranslation('ui');
  const { disabled } = useForm();
  const { label } = useWords(rest);
  const item = shape.item();
  const items = Array.isArray(value) ? value : [];
  const replace = (next: Json[]) => onChange(next.length > 0 || rest.field.required ? next : undefined);
  const add = (
    <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} disabled={disabled} onClick={() => replace([...items, blank(item)])}>
      {t('form.addItem', { field: label })}
    </Button>
  );
  return (
    <Frame {...rest} aside={add}>
      {items.map((entry, index) => {
        const name = t('form.item', { field: label, number: index + 1 });
        return (
          <div key={index} className={classes.row}>
            <div className={classes.grow}>
              <FieldInput
                field={item}
                path={[...rest.path, index]}
                place={rest.place}
                value={entry}
                label={name}
                onChange={(next) => replace(items.with(index, next ?? null))}
              />
            </div>
            <Tools name={name} index={index} items={items} onChange={replace} />
          </div>
        );
      })}
    </Frame>
  );
}

interface ToolsProps {
  name: string;
  index: number;
  items: Json[];
  onChange: (items: Json[]) => void;
}

function Tools({ name, index, items, onChange }: ToolsProps) {
  const { t } = useTranslation('ui');
  const { disabled } = useForm();
  const move = (to: number) => onChange(items.toSpliced(index, 1).toSpliced(to, 0, items[index] ?? null));
  const button = { variant: 'subtle', color: 'gray', disabled } as const;
  return (
    <div className={classes.tools} style={{ paddingBlockStart: 26 }}>
      {index > 0 && (
        <ActionIcon {...button} aria-label={t('form.itemUp', { item: name })} onClick={() => move(index - 1)}>
          <IconArrowUp size={16} aria-hidden />
        </ActionIcon>
      )}
      {index < items.length - 1 && (
        <ActionIcon {...button} aria-label={t('form.itemDown', { item: name })} onClick={() => move(index + 1)}>
          <IconArrowDown size={16} aria-hidden />
        </ActionIcon>
      )}
      <ActionIcon {...button} aria-label={t('form.removeItem', { item: name })} onClick={() => onChange(items.toSpliced(index, 1))}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
