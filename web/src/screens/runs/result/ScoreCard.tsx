import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { Assertions } from '~/screens/runs/result/Assertions';
import { assertionsOf } from '~/screens/runs/result/assertionsOf';
import { Samples } from '~/screens/runs/result/Samples';
import { Disagreed } from '~/screens/runs/ResultRow';
import { useFormat } from '~/ui/format';
import { JsonView } from '~/ui/JsonView';
import { VerdictBadge } from '~/ui/VerdictBadge';

import classes from './CaseResult.module.css';

/** What one evaluator said: the verdict, the value against its threshold, and why. */
export function ScoreCard({ score }: { score: Schemas['Score'] }) {
  const { t } = useTranslation('runs');
  const format = useFormat();
  const [shown, setShown] = useState(false);
  const assertions = assertionsOf(score.samples);
  const passed = score.samples.filter((sample) => sample.passed).length;
  const evidence = score.samples.length > 0 ? t('result.verdicts', { count: score.samples.length }) : score.details !== null ? t('result.details') : null;
  const facts = [
    score.kind !== score.evaluator ? score.kind : null,
    score.value !== null && t('result.value', { value: format.score(score.value) }),
    score.threshold !== null && t('result.threshold', { value: format.score(score.threshold) }),
    score.weight === 0 ? t('result.informs') : t('result.weight', { value: format.score(score.weight) }),
    score.samples.length > 1 && t('result.votes', { passed, count: score.samples.length }),
  ].filter(Boolean);
  return (
    <section className={classes.card} aria-label={score.evaluator}>
      <div className={classes.cardHead}>
        <VerdictBadge verdict={score.verdict} />
        <h3 className={classes.cardTitle}>{score.evaluator}</h3>
        {score.disagreed && <Disagreed />}
        <Text size="sm" c="dimmed" component="span">
          {facts.join(' · ')}
        </Text>
      </div>
      {score.explanation && <p className={classes.prose}>{score.explanation}</p>}
      {assertions.length > 0 && <Assertions assertions={assertions} />}
      {evidence && (
        <Button variant="subtle" size="compact-sm" className={classes.evidence} onClick={() => setShown(!shown)} aria-expanded={shown}>
          {shown ? t('result.hide', { what: evidence }) : t('result.show', { what: evidence })}
        </Button>
      )}
      {shown && (score.samples.length > 0 ? <Samples samples={score.samples} /> : <JsonView value={score.details} label={t('result.details')} />)}
    </section>
  );
}
