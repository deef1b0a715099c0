import { ActionIcon } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

import { ConditionsEditor } from '~/screens/simulations/ConditionsEditor';
import { HowGiven, OutputInput } from '~/screens/simulations/OutputInput';
import type { AnswerDraft, OutputForm } from '~/screens/simulations/simulationDraft';
import type { Component } from '~/screens/simulations/simulations';

import classes from './AnswerCard.module.css';

interface Props {
  answer: AnswerDraft;
  index: number;
  count: number;
  component: Component;
  form: OutputForm | null;
  tried: boolean;
  /** What the server said at a pointer within the answer. */
  fault: (pointer: string) => string | undefined;
  onChange: (next: (before: AnswerDraft) => AnswerDraft) => void;
  onMove: (to: number) => void;
  onRemove: () => void;
}

/** One fixed answer: what is given, and to which calls. */
export function AnswerCard({ answer, index, count, component, form, tried, fault, onChange, onMove, onRemove }: Props) {
  const { t } = useTranslation('simulations');
  const id = useId();
  const number = index + 1;
  const faults = { output: fault('/output'), when: (pointer: string) => fault(`/when${pointer}`) };
  const button = { variant: 'subtle', color: 'gray' } as const;
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.head}>
        <span className={classes.title} id={id}>
          {t('answer', { number })}
        </span>
        <HowGiven answer={answer} form={form} number={number} onChange={onChange} />
        {count > 1 && (
          <div className={classes.tools}>
            <ActionIcon {...button} disabled={index === 0} aria-label={t('answerUp', { number })} onClick={() => onMove(index - 1)}>
              <IconArrowUp size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon {...button} disabled={index === count - 1} aria-label={t('answerDown', { number })} onClick={() => onMove(index + 1)}>
              <IconArrowDown size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon {...button} aria-label={t('answerRemove', { number })} onClick={onRemove}>
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </div>
        )}
      </div>
      <OutputInput answer={answer} component={component} form={form} tried={tried} error={faults.output} onChange={onChange} />
      <div className={classes.conditions}>
        <ConditionsEditor value={answer.when} tried={tried} fault={faults.when} onChange={(when) => onChange((before) => ({ ...before, when }))} />
      </div>
    </section>
  );
}
