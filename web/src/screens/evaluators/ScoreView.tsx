import { Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { useFormat } from '~/ui/format';
import { JsonView } from '~/ui/JsonView';
import { VerdictBadge } from '~/ui/VerdictBadge';

/** What one evaluator says of an answer: verdict, score, the reasons, each sample of a judge. */
export function ScoreView({ score }: { score: Schemas['Score'] }) {
  const { t } = useTranslation('evaluators');
  const format = useFormat();
  const { verdict, value, threshold, explanation, samples, failure } = score;
  const figures = threshold === null ? t('score.value', { value: format.score(value) }) : t('score.valueOf', { value: format.score(value), threshold: format.score(threshold) });
  return (
    <Stack gap="xs" role="status" aria-label={t('score.label')}>
      <Group gap="sm">
        <VerdictBadge verdict={verdict} />
        {value !== null && (
          <Text size="sm" c="dimmed">
            {figures}
          </Text>
        )}
      </Group>
      <JsonView value={failure?.message ?? explanation} label={t('score.explanation')} />
      {samples.length > 1 &&
        samples.map((sample, index) => (
          <Group key={index} gap="xs" align="flex-start" wrap="nowrap">
            <VerdictBadge verdict={sample.passed ? 'pass' : 'fail'} />
            <Text size="sm">{sample.reasoning}</Text>
          </Group>
        ))}
    </Stack>
  );
}
