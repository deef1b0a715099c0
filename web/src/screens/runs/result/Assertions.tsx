import { IconCircleCheckFilled, IconCircleXFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { assertionHolds, type AssertionVote } from '~/screens/runs/result/assertionsOf';

import classes from './CaseResult.module.css';

/** The assertions one by one: whether each holds, and why. */
export function Assertions({ assertions }: { assertions: AssertionVote[] }) {
  const { t } = useTranslation('runs');
  return (
    <ol className={classes.votes} aria-label={t('result.assertions')}>
      {assertions.map((assertion) => {
        const holds = assertionHolds(assertion);
        const Icon = holds ? IconCircleCheckFilled : IconCircleXFilled;
        return (
          <li key={assertion.number} className={classes.vote}>
            <span className={classes.mark} data-holds={holds || undefined}>
              <Icon size={16} aria-hidden />
              {holds ? t('result.holds') : t('result.holdsNot')}
            </span>
            <div>
              <div className={classes.assertion}>
                {assertion.text} {assertion.votes > 1 && <span className={classes.quiet}>{t('result.votes', { passed: assertion.holds, count: assertion.votes })}</span>}
              </div>
              <div className={classes.reason}>{assertion.reason}</div>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
