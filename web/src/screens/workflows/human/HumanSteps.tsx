import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { Part } from '~/screens/executions/Part';
import { AnswerForm } from '~/screens/workflows/human/AnswerForm';
import { Question } from '~/screens/workflows/human/Question';
import type { HumanStep } from '~/screens/workflows/human/waiting';
import { JsonView } from '~/ui/JsonView';
import { DateTime } from '~/ui/Values';

import classes from './Human.module.css';

interface Props {
  executionId: string;
  steps: readonly HumanStep[];
  /** Whether the execution can still go on. */
  waits: boolean;
}

/** What people were asked in an execution: those that wait with a form, the others with their answer. */
export function HumanSteps({ executionId, steps, waits }: Props) {
  const { t } = useTranslation('workflows');
  if (steps.length === 0) return null;
  const open = steps.filter(({ answered_at }) => answered_at === null);
  const answered = steps.filter(({ answered_at }) => answered_at !== null);
  return (
    <Part title={t('human.title')}>
      <ul className={classes.list}>
        {[...open, ...answered].map((step) => (
          <li key={step.step}>
            <Question title={step.step} aside={<DateTime time={step.asked_at} />} question={step.question}>
              {step.answered_at !== null ? <Answered step={step} /> : waits ? <AnswerForm executionId={executionId} step={step} /> : <Text c="dimmed">{t('human.open')}</Text>}
            </Question>
          </li>
        ))}
      </ul>
    </Part>
  );
}

function Answered({ step }: { step: HumanStep }) {
  const { t } = useTranslation('workflows');
  return (
    <>
      <JsonView value={step.answer} label={t('answer.label')} maxHeight={240} />
      <Text size="sm" c="dimmed" mt={6}>
        {t('answer.given', { who: step.answered_by ?? t('answer.unknown') })} {'·'} <DateTime time={step.answered_at} />
      </Text>
    </>
  );
}
