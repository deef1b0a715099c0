import { ActionIcon, Button, Group, Input, Text } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { EvaluatorDialog } from '~/screens/evaluators/EvaluatorDialog';
import { useKindName } from '~/screens/evaluators/kinds';
import { type Binding, kindOf } from '~/screens/evaluators/specs';

import classes from './OwnEvaluators.module.css';

interface Props {
  value: Binding[];
  onChange: (value: Binding[]) => void;
  /** What the server said of one. */
  errorOf: (index: number) => string | undefined;
  disabled: boolean;
}

/** The evaluators of one case alone. */
export function OwnEvaluators({ value, onChange, errorOf, disabled }: Props) {
  const { t } = useTranslation(['datasets', 'common']);
  const nameOf = useKindName();
  const [editing, setEditing] = useState<number | null>(null);
  const take = (binding: Binding) => {
    onChange(value.toSpliced(editing ?? value.length, 1, binding));
    setEditing(null);
  };
  return (
    <div>
      <Input.Label labelElement="div">{t('case.own')}</Input.Label>
      <Input.Description>{t('case.ownHelp')}</Input.Description>
      <ul className={classes.list}>
        {value.map((binding, index) => (
          <li key={binding.name + String(index)} className={classes.row}>
            <div className={classes.what}>
              <Text size="sm" fw={600}>
                {binding.name}
              </Text>
              <Text size="sm" c="dimmed">
                {t('case.ownText', { kind: nameOf(kindOf(binding.spec)), weight: binding.weight })}
              </Text>
              {errorOf(index) && <Input.Error role="alert">{errorOf(index)}</Input.Error>}
            </div>
            <Button variant="subtle" size="compact-sm" disabled={disabled} aria-label={t('bound.edit', { name: binding.name })} onClick={() => setEditing(index)}>
              {t('common:edit')}
            </Button>
            <ActionIcon variant="subtle" color="gray" disabled={disabled} aria-label={t('bound.remove', { name: binding.name })} onClick={() => onChange(value.toSpliced(index, 1))}>
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <Group mt={6}>
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} disabled={disabled} onClick={() => setEditing(value.length)}>
          {t('case.addOwn')}
        </Button>
      </Group>
      <EvaluatorDialog key={String(editing)} opened={editing !== null} onClose={() => setEditing(null)} initial={editing === null ? undefined : value[editing]} onDone={take} />
    </div>
  );
}
