import { Anchor } from '@mantine/core';
import { IconCircleCheckFilled, IconCircleDashed, IconCircleXFilled, IconHelpHexagonFilled } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { useThreshold } from '~/screens/gate/threshold';
import type { PolicyState } from '~/screens/gate/gateQueries';
import { useFormat } from '~/ui/format';

import classes from './Gate.module.css';

const ICONS = { allow: IconCircleCheckFilled, below: IconCircleXFilled, undecided: IconHelpHexagonFilled, off: IconCircleDashed };

interface Props {
  policy: PolicyState;
  /** The version that it speaks of. */
  version: number;
  /** What can be done about it. */
  action?: ReactNode;
}

/** What one policy says of a version: its word, the figures that it rests on, and the mend. */
export function PolicyView({ policy, version, action }: Props) {
  const { t } = useTranslation('gate');
  const threshold = useThreshold();
  const { dataset_id, dataset_name, enabled, decision } = policy;
  const word = enabled ? decision.ruling : 'off';
  const Icon = ICONS[word];
  return (
    <li className={classes.policy}>
      <span className={classes.word} data-ruling={word}>
        <Icon size={18} aria-hidden /> {t(`word.${word}`)}
      </span>
      <div className={classes.said}>
        <div>
          <Anchor component={Link} to={`/datasets/${dataset_id}`} fw={600} c="inherit">
            {dataset_name}
          </Anchor>{' '}
          <span className={classes.quiet}>{t('atLeast', { threshold: threshold(policy.threshold) })}</span>
        </div>
        <Bar policy={policy} />
        <div className={classes.reason}>
          <Reason policy={policy} version={version} />
        </div>
        {action}
      </div>
    </li>
  );
}

/** The figures in words, with the run, and what would mend it. */
function Reason({ policy: { standing, run, decision, enabled }, version }: { policy: PolicyState; version: number }) {
  const { t } = useTranslation('gate');
  const format = useFormat();
  if (run === null) return t('reason.missing', { version });
  const total = run.passed + run.failed + run.errors;
  const figures = t('figures', { passed: format.number(run.passed), total: format.number(total), count: run.errors });
  const when = format.dateTime(run.finished_at);
  return (
    <>
      {standing === 'stale' ? t('reason.stale', { version, figures }) : figures}{' '}
      {run.deleted ? (
        <span className={classes.quiet}>{t('runDeleted', { when })}</span>
      ) : (
        <Anchor component={Link} to={`/runs/${run.run_id}`} inherit underline="always">
          {t('run', { when })}
        </Anchor>
      )}{' '}
      {enabled && standing === 'found' && decision.ruling !== 'allow' && t(`mend.${decision.ruling === 'below' ? 'below' : run.deleted ? 'deleted' : 'errors'}`, { count: run.errors })}
    </>
  );
}

/** Passed, and what errors leave open, of all; a tick where the threshold is. */
function Bar({ policy: { run, standing, threshold } }: { policy: PolicyState }) {
  if (run === null) return null;
  const total = Math.max(1, run.passed + run.failed + run.errors);
  const share = (count: number) => `${(100 * count) / total}%`;
  return (
    <div className={classes.bar} data-stale={standing === 'stale' || undefined} aria-hidden>
      <span className={classes.passed} style={{ width: share(run.passed) }} />
      <span className={classes.open} style={{ width: share(run.errors) }} />
      <span className={classes.needed} style={{ left: `${100 * threshold}%` }} />
    </div>
  );
}
