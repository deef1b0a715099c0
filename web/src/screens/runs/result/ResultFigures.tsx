import { Badge, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { useFormat } from '~/ui/format';

/** The score, how long it took, and what it used. */
export function ResultFigures({ result, asked }: { result: Schemas['CaseResult']; asked: Schemas['Case-Output'] }) {
  const { t } = useTranslation('runs');
  const format = useFormat();
  const { usage } = result.outcome;
  const tokens = usage.input_tokens === null && usage.output_tokens === null ? null : (usage.input_tokens ?? 0) + (usage.output_tokens ?? 0);
  const judged = result.scores.filter((score) => score.usage.calls > 0);
  const judgeCost = judged.map((score) => score.usage.cost).reduce((sum, cost) => (cost === null ? sum : (sum ?? 0) + cost), null);
  return (
    <Group gap="4px 14px" fz="sm">
      <span>{asked.key}</span>
      {result.score !== null && <span>{t('result.score', { score: format.score(result.score) })}</span>}
      <span>{t('result.latency', { time: format.duration(result.outcome.latency) })}</span>
      <span>{tokens === null ? t('result.noTokens') : t('result.tokens', { tokens: format.number(tokens) })}</span>
      <span>{t('result.cost', { cost: format.money(usage.cost) })}</span>
      {judged.length > 0 && <span>{t('result.judgeCost', { cost: format.money(judgeCost) })}</span>}
      {result.carried_over && <Badge color="gray">{t('result.carriedOver')}</Badge>}
      {asked.tags.map((tag) => (
        <Badge key={tag} color="gray">
          {tag}
        </Badge>
      ))}
    </Group>
  );
}
