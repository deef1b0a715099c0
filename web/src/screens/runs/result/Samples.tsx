import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { Assertions } from '~/screens/runs/result/Assertions';
import { assertionsOf } from '~/screens/runs/result/assertionsOf';
import { useFormat } from '~/ui/format';
import { VerdictBadge } from '~/ui/VerdictBadge';

import classes from './CaseResult.module.css';

/** The single verdicts of a judge. */
export function Samples({ samples }: { samples: Schemas['JudgeSample'][] }) {
  const { t } = useTranslation('runs');
  const format = useFormat();
  return (
    <ol className={classes.samples}>
      {samples.map((sample, index) => {
        const assertions = assertionsOf([sample]);
        return (
          <li key={index} className={classes.sample}>
            <div className={classes.cardHead}>
              <b>{t('result.sample', { number: index + 1 })}</b>
              <VerdictBadge verdict={sample.passed ? 'pass' : 'fail'} />
              <span className={classes.quiet}>{t('result.value', { value: format.score(sample.value) })}</span>
            </div>
            <p className={classes.prose}>{sample.reasoning}</p>
            {assertions.length > 0 && <Assertions assertions={assertions} />}
          </li>
        );
      })}
    </ol>
  );
}
