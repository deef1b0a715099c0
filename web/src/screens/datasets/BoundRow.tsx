import { ActionIcon, Anchor, Badge, Button, Group, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { Weight } from '~/screens/datasets/Weight';
import { useKindName } from '~/screens/evaluators/kinds';
import { type Binding, kindOf } from '~/screens/evaluators/specs';

import classes from './BoundRow.module.css';

interface Props {
  binding: Binding;
  index: number;
  all: readonly Binding[];
  disabled: boolean;
  onChange: (all: Binding[], message?: string) => void;
  onEdit: () => void;
}

/** One bound evaluator: what it is, its weight, its place. */
export function BoundRow({ binding, index, all, disabled, onChange, onEdit }: Props) {
  const { t } = useTranslation(['datasets', 'common']);
  const nameOf = useKindName();
  const { name, weight, evaluator_id, spec } = binding;
  const move = (to: number) => onChange(all.toSpliced(index, 1).toSpliced(to, 0, binding));
  const button = { variant: 'subtle', color: 'gray', disabled } as const;
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <Group gap="xs">
          {evaluator_id ? (
            <Anchor component={Link} to={`/evaluators/${evaluator_id}`} fw={600} c="inherit">
              {name}
            </Anchor>
          ) : (
            <Text fw={600}>{name}</Text>
          )}
          <Badge color="gray">{evaluator_id ? t('bound.saved') : t('bound.own')}</Badge>
          {weight === 0 && <Badge color="gray">{t('bound.informs')}</Badge>}
        </Group>
        <Text size="sm" c="dimmed">
          {nameOf(kindOf(spec))}
        </Text>
      </div>
      <Weight className={classes.weight} label={t('bound.weight')} name={t('bound.weightOf', { name })} weight={weight} disabled={disabled} onChange={(next) => onChange(all.with(index, { ...binding, weight: next }))} />
      <Group gap={2} wrap="nowrap">
        {!evaluator_id && (
          <Button variant="subtle" size="compact-sm" disabled={disabled} onClick={onEdit} aria-label={t('bound.edit', { name })}>
            {t('common:edit')}
          </Button>
        )}
        <ActionIcon {...button} disabled={disabled || index === 0} aria-label={t('bound.up', { name })} onClick={() => move(index - 1)}>
          <IconArrowUp size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon {...button} disabled={disabled || index === all.length - 1} aria-label={t('bound.down', { name })} onClick={() => move(index + 1)}>
          <IconArrowDown size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon {...button} aria-label={t('bound.remove', { name })} onClick={() => onChange(all.toSpliced(index, 1), t('bound.removed', { name }))}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </li>
  );
}
