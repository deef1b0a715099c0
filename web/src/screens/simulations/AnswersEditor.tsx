import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { AnswerCard } from '~/screens/simulations/AnswerCard';
import { type AnswerDraft, newAnswer, type OutputForm, reachOf } from '~/screens/simulations/simulationDraft';
import type { Component } from '~/screens/simulations/simulations';
import { Caution } from '~/ui/Caution';

type Answers = AnswerDraft[];

interface Props {
  component: Component;
  form: OutputForm | null;
  answers: Answers;
  onChange: (next: (before: Answers) => Answers) => void;
  tried: boolean;
  fault: (...pointers: string[]) => string | undefined;
}

/** Fixed answers in the order in which they are looked at. */
export function AnswersEditor({ component, form, answers, onChange, tried, fault }: Props) {
  const { t } = useTranslation('simulations');
  const { open, unreached } = reachOf(answers);
  const move = (from: number, to: number) => onChange((before) => before.toSpliced(from, 1).toSpliced(to, 0, ...before.slice(from, from + 1)));
  const add = () => onChange((before) => [...before, newAnswer(component, Math.max(-1, ...before.map(({ id }) => id)) + 1)]);
  return (
    <Stack gap="sm">
      {answers.map((answer, index) => (
        <AnswerCard
          key={answer.id}
          answer={answer}
          index={index}
          count={answers.length}
          component={component}
          form={form}
          tried={tried}
          fault={(pointer) => fault(`/answers/${index}${pointer}`)}
          onChange={(next) => onChange((before) => before.map((each) => (each.id === answer.id ? next(each) : each)))}
          onMove={(to) => move(index, to)}
          onRemove={() => onChange((before) => before.filter(({ id }) => id !== answer.id))}
        />
      ))}
      <Group gap="sm">
        <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
          {t('addAnswer')}
        </Button>
      </Group>
      {answers.length > 1 && (
        <Text size="sm" c="dimmed" maw="75ch">
          {t(answers.every(({ when }) => when.length === 0) ? 'order.turns' : 'order.chosen')}
        </Text>
      )}
      {unreached !== null && <Caution title={t('unreached', { number: unreached + 1 })}>{t('unreachedText')}</Caution>}
      {open && <Caution title={t('open')}>{t('openText')}</Caution>}
    </Stack>
  );
}
