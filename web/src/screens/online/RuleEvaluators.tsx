import { Button, Group, Input, Paper } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { BindSaved } from '~/screens/datasets/BindSaved';
import { BoundRow } from '~/screens/datasets/BoundRow';
import { EvaluatorDialog } from '~/screens/evaluators/EvaluatorDialog';
import type { Binding } from '~/screens/evaluators/specs';

import classes from './Online.module.css';

interface Props {
  value: readonly Binding[];
  onChange: (evaluators: Binding[]) => void;
  error?: string;
}

/** The evaluators of a rule: saved ones, or written here. */
export function RuleEvaluators({ value, onChange, error }: Props) {
  const { t } = useTranslation('online');
  const [editing, setEditing] = useState<number | 'new' | null>(null);
  const [choosing, setChoosing] = useState(false);
  const write = (binding: Binding) => {
    onChange(value.toSpliced(typeof editing === 'number' ? editing : value.length, 1, binding));
    setEditing(null);
  };
  return (
    <Input.Wrapper label={t('form.evaluators')} description={t('form.evaluatorsHelp')} error={error} withAsterisk labelElement="div">
      {value.length > 0 && (
        <Paper component="ol" className={classes.list} my="xs" aria-label={t('form.evaluators')}>
          {value.map((binding, index) => (
            <BoundRow key={`${index} ${binding.name}`} binding={binding} index={index} all={value} disabled={false} onChange={onChange} onEdit={() => setEditing(index)} />
          ))}
        </Paper>
      )}
      <Group my="xs" gap="xs">
        <Button size="xs" variant="default" onClick={() => setChoosing(true)}>
          {t('form.addSaved')}
        </Button>
        <Button size="xs" variant="default" onClick={() => setEditing('new')}>
          {t('form.addOwn')}
        </Button>
      </Group>
      <EvaluatorDialog key={String(editing)} opened={editing !== null} onClose={() => setEditing(null)} initial={typeof editing === 'number' ? value[editing] : undefined} onDone={write} />
      <BindSaved opened={choosing} onClose={() => setChoosing(false)} bound={value} onChoose={(saved) => Promise.resolve(onChange([...value, saved]))} />
    </Input.Wrapper>
  );
}
