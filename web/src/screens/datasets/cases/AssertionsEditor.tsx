import { ActionIcon, Button, Group, Input, Textarea } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useId, useRef } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';

import { WithGuide } from '~/screens/datasets/cases/WithGuide';

import classes from './AssertionsEditor.module.css';

interface Props {
  value: string[];
  onChange: (value: string[]) => void;
  errorOf: (index: number) => string | undefined;
  disabled: boolean;
}

/**
 * Statements that must each hold. By keyboard: Enter adds one below, Alt with an arrow moves one, Backspace in an empty
 * one takes it out.
 */
export function AssertionsEditor({ value, onChange, errorOf, disabled }: Props) {
  const { t } = useTranslation('datasets');
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  /** At once, so that what is typed next stands in the new place. */
  const changeAndFocus = (next: string[], index: number) => {
    flushSync(() => onChange(next));
    list.current?.querySelectorAll('textarea')[index]?.focus();
  };
  const insert = (index: number) => {
    changeAndFocus(value.toSpliced(index, 0, ''), index);
  };
  const remove = (index: number) => {
    changeAndFocus(value.toSpliced(index, 1), Math.max(0, index - 1));
  };
  const move = (index: number, to: number) => {
    if (to < 0 || to >= value.length) return;
    changeAndFocus(value.toSpliced(index, 1).toSpliced(to, 0, value[index] ?? ''), to);
  };
  const onKey = (event: KeyboardEvent, index: number) => {
    const act = actOf(event, value[index] ?? '');
    if (!act) return;
    event.preventDefault();
    if (act === 'insert') insert(index + 1);
    if (act === 'remove') remove(index);
    if (act === 'up') move(index, index - 1);
    if (act === 'down') move(index, index + 1);
  };
  return (
    <WithGuide>
      <Input.Wrapper label={t('case.assertions')} description={t('case.assertionsHelp')} labelElement="div" labelProps={{ id }} inputWrapperOrder={['label', 'description', 'input']}>
        <ul ref={list} className={classes.list} aria-labelledby={id}>
          {value.map((text, index) => (
            <li key={index} className={classes.row}>
              <Textarea
                className={classes.text}
                aria-label={t('case.assertion', { number: index + 1 })}
                aria-keyshortcuts="Enter Alt+ArrowUp Alt+ArrowDown"
                autosize
                minRows={1}
                value={text}
                onChange={({ currentTarget }) => onChange(value.with(index, currentTarget.value))}
                onKeyDown={(event) => onKey(event, index)}
                error={errorOf(index)}
                disabled={disabled}
              />
              <Tools index={index} count={value.length} disabled={disabled} onMove={(to) => move(index, to)} onRemove={() => remove(index)} />
            </li>
          ))}
        </ul>
      </Input.Wrapper>
      <Group gap="sm" mt={6}>
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => insert(value.length)} disabled={disabled}>
          {t('case.addAssertion')}
        </Button>
        {value.length > 0 && <Input.Description>{t('case.assertionsKeys')}</Input.Description>}
      </Group>
    </WithGuide>
  );
}

/** What a key does in an assertion; null for plain typing. Ctrl+Enter is left to the form. */
function actOf({ key, altKey, ctrlKey, metaKey, shiftKey, nativeEvent }: KeyboardEvent, text: string): 'insert' | 'remove' | 'up' | 'down' | null {
  if (nativeEvent.isComposing) return null;
  if (key === 'Enter' && !ctrlKey && !metaKey && !shiftKey && !altKey) return 'insert';
  if (key === 'Backspace' && text === '') return 'remove';
  if (altKey && key === 'ArrowUp') return 'up';
  if (altKey && key === 'ArrowDown') return 'down';
  return null;
}

interface ToolsProps {
  index: number;
  count: number;
  disabled: boolean;
  onMove: (to: number) => void;
  onRemove: () => void;
}

function Tools({ index, count, disabled, onMove, onRemove }: ToolsProps) {
  const { t } = useTranslation('datasets');
  const number = index + 1;
  const button = { variant: 'subtle', color: 'gray' } as const;
  return (
    <div className={classes.tools}>
      <ActionIcon {...button} disabled={disabled || index === 0} aria-label={t('case.assertionUp', { number })} onClick={() => onMove(index - 1)}>
        <IconArrowUp size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon {...button} disabled={disabled || index === count - 1} aria-label={t('case.assertionDown', { number })} onClick={() => onMove(index + 1)}>
        <IconArrowDown size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon {...button} disabled={disabled} aria-label={t('case.assertionRemove', { number })} onClick={onRemove}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
