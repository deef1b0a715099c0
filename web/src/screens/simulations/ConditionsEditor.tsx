import { ActionIcon, Button, Input, Select, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

import { type ConditionDraft, NEW_CONDITION, NEW_TEST, pathFault, type TestDraft, TESTS, type TestName, withName } from '~/screens/simulations/conditionDraft';
import { TestValue } from '~/screens/simulations/TestValue';

import classes from './ConditionsEditor.module.css';

interface Props {
  value: ConditionDraft[];
  onChange: (value: ConditionDraft[]) => void;
  tried: boolean;
  /** What the server said at a pointer within the conditions. */
  fault: (pointer: string) => string | undefined;
}

/** Which calls an answer is for: those whose arguments meet every condition; all of them where there is none. */
export function ConditionsEditor({ value, onChange, tried, fault }: Props) {
  const { t } = useTranslation('simulations');
  const id = useId();
  return (
    <div>
      <Input.Label labelElement="div" id={id}>
        {t('when')}
      </Input.Label>
      <Input.Description>{t(value.length > 0 ? 'whenHelp' : 'whenNone')}</Input.Description>
      <ul className={classes.list} aria-labelledby={id}>
        {value.map((condition, index) => (
          <li key={index}>
            <ConditionRows
              condition={condition}
              number={index + 1}
              tried={tried}
              fault={(pointer) => fault(`/${index}${pointer}`)}
              onChange={(next) => onChange(next ? value.with(index, next) : value.toSpliced(index, 1))}
            />
          </li>
        ))}
      </ul>
      <Button mt={6} variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => onChange([...value, NEW_CONDITION])}>
        {t('addCondition')}
      </Button>
    </div>
  );
}

interface RowsProps {
  condition: ConditionDraft;
  number: number;
  tried: boolean;
  fault: (pointer: string) => string | undefined;
  /** Null takes the condition out. */
  onChange: (condition: ConditionDraft | null) => void;
}

/** A path, and one line for each test of what stands there. */
function ConditionRows({ condition, number, tried, fault, onChange }: RowsProps) {
  const { t } = useTranslation('simulations');
  const { path, tests } = condition;
  const set = (next: TestDraft[]) => onChange(next.length > 0 ? { ...condition, tests: next } : null);
  const wrongPath = tried && pathFault(condition) ? t('fault.path') : fault('/path');
  return tests.map((test, index) => (
    <div key={index} className={classes.row}>
      {index === 0 ? (
        <TextInput className={classes.path} aria-label={t('path', { number })} value={path} onChange={({ currentTarget }) => onChange({ ...condition, path: currentTarget.value })} error={wrongPath} autoComplete="off" spellCheck={false} />
      ) : (
        <span className={classes.again}>{t('andAlso')}</span>
      )}
      <TestChoice value={test.name} taken={tests.map(({ name }) => name)} number={number} onChange={(name) => set(tests.with(index, withName(test, name)))} />
      <TestValue test={test} number={number} tried={tried} error={fault(`/${test.name}`)} onChange={(next) => set(tests.with(index, next))} />
      <div className={classes.tools}>
        {index === tests.length - 1 && tests.length < TESTS.length && (
          <ActionIcon variant="subtle" color="gray" aria-label={t('addTest', { number })} title={t('addTest', { number })} onClick={() => set([...tests, freeTest(tests)])}>
            <IconPlus size={16} aria-hidden />
          </ActionIcon>
        )}
        <ActionIcon variant="subtle" color="gray" aria-label={t('removeTest', { number })} onClick={() => set(tests.toSpliced(index, 1))}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </div>
    </div>
  ));
}

/** A test that is not there yet. */
function freeTest(tests: readonly TestDraft[]): TestDraft {
  const free = TESTS.find((name) => tests.every((test) => test.name !== name));
  return free ? withName(NEW_TEST, free) : NEW_TEST;
}

interface ChoiceProps {
  value: TestName;
  /** Those of the condition, each of which may stand in it once. */
  taken: readonly TestName[];
  number: number;
  onChange: (name: TestName) => void;
}

function TestChoice({ value, taken, number, onChange }: ChoiceProps) {
  const { t } = useTranslation('simulations');
  const data = TESTS.map((name) => ({ value: name, label: t(`test.${name}`), disabled: name !== value && taken.includes(name) }));
  return <Select aria-label={t('testOf', { number })} data={data} value={value} onChange={(name) => name && onChange(name)} allowDeselect={false} />;
}
