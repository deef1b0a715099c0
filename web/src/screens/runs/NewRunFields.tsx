import { Accordion, NumberInput, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import type { NewRunValues } from '~/screens/runs/newRunForm';
import { modelsQuery } from '~/screens/runs/runQueries';

interface Props {
  form: UseFormReturnType<NewRunValues>;
}

/** What such a value looks like; the same in every language. */
const EXAMPLE = { model: 'openai:gpt-4o-mini', address: 'http://127.0.0.1:11434/v1', key: 'OPENAI_API_KEY' };
const MOST_AT_ONCE = 10_000;
const MOST_TRIALS = 1000;

/** How many at once, and how often. */
export function LimitFields({ form }: Props) {
  const { t } = useTranslation('runs');
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <NumberInput label={t('new.concurrency')} description={t('new.concurrencyHelp')} min={1} max={MOST_AT_ONCE} allowDecimal={false} {...form.getInputProps('concurrency')} />
      <NumberInput label={t('new.trials')} description={t('new.trialsHelp')} min={1} max={MOST_TRIALS} allowDecimal={false} {...form.getInputProps('trials')} />
    </SimpleGrid>
  );
}

/** The grading model, when it is not the operator's; its endpoint is asked for once it is named. */
export function JudgeFields({ form }: Props) {
  const { t } = useTranslation(['runs', 'common']);
  const models = useQuery(modelsQuery());
  const usual = models.data?.judge;
  const named = form.values.judgeModel.trim() !== '';
  return (
    <Stack gap="sm">
      <TextInput
        label={`${t('new.judge')} (${t('common:optional')})`}
        description={usual ? t('new.judgeDefault', { model: usual.model }) : t('new.judgeNone')}
        placeholder={usual?.model ?? EXAMPLE.model}
        {...form.getInputProps('judgeModel')}
      />
      {named && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TextInput label={t('new.judgeAddress')} placeholder={EXAMPLE.address} {...form.getInputProps('judgeAddress')} />
          <TextInput label={t('new.judgeKey')} placeholder={EXAMPLE.key} {...form.getInputProps('judgeKey')} />
        </SimpleGrid>
      )}
    </Stack>
  );
}

/** What few need: the deadline, the budgets, the tags. It opens by itself where something in it is wrong. */
export function AdvancedFields({ form }: Props) {
  const { t } = useTranslation('runs');
  const wrong = ['secondsPerCase', 'maxCost', 'maxTokens', 'tags'].some((field) => form.errors[field]);
  return (
    <Accordion variant="separated" key={String(wrong)} defaultValue={wrong ? 'advanced' : null}>
      <Accordion.Item value="advanced">
        <Accordion.Control>{t('new.advanced')}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="sm">
            <NumberInput label={t('new.seconds')} description={t('new.secondsHelp')} min={0} {...form.getInputProps('secondsPerCase')} />
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
              <NumberInput label={t('new.maxCost')} description={t('new.budgetHelp')} prefix="$" min={0} {...form.getInputProps('maxCost')} />
              <NumberInput label={t('new.maxTokens')} description={t('new.budgetHelp')} min={0} allowDecimal={false} {...form.getInputProps('maxTokens')} />
            </SimpleGrid>
            <TagsInput label={t('new.tags')} {...form.getInputProps('tags')} />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
