import { Paper, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { ScoreCard } from '~/screens/runs/result/ScoreCard';
import { Section } from '~/screens/runs/result/Section';

import classes from './CaseResult.module.css';

/** What each evaluator said, those that decide first. */
export function Evaluators({ result }: { result: Schemas['CaseResult'] }) {
  const { t } = useTranslation('runs');
  const scores = [...result.scores].sort((a, b) => Number(b.weight > 0) - Number(a.weight > 0));
  return (
    <Section title={t('result.evaluators')}>
      {scores.length === 0 && <Text c="dimmed">{t('result.notGraded')}</Text>}
      {scores.length > 0 && (
        <Paper className={classes.cards}>
          {scores.map((score) => (
            <ScoreCard key={score.evaluator} score={score} />
          ))}
        </Paper>
      )}
      {result.not_applicable.length > 0 && (
        <Text size="sm" c="dimmed" mt="xs">
          {t('result.notApplicable', { names: result.not_applicable.join(', ') })}
        </Text>
      )}
    </Section>
  );
}
