import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';

import { isRemote, useThisTarget } from '~/screens/agents/targets';

import classes from './EvaluationViews.module.css';

interface Props {
  targetId: string;
  /** What can be done in this view. */
  action?: ReactNode;
}

/** The views of a target's evaluations, each with its own address. */
export function EvaluationViews({ targetId, action }: Props) {
  const { t } = useTranslation('agents');
  const { kind } = useThisTarget().value;
  const base = `/agents/${targetId}/evaluations`;
  // What runs elsewhere has no runs from here.
  const runs = [
    { to: `${base}/runs`, label: t('evaluations.runs') },
    { to: `${base}/schedules`, label: t('evaluations.schedules') },
    { to: `${base}/history`, label: t('evaluations.history') },
  ];
  const views = [
    { to: base, label: t('evaluations.datasets') },
    { to: `${base}/evaluators`, label: t('evaluations.evaluators') },
    ...(isRemote(kind) ? [] : runs),
    { to: `${base}/online`, label: t('evaluations.online') },
    { to: `${base}/files`, label: t('evaluations.files') },
  ];
  return (
    <div className={classes.bar}>
      <nav aria-label={t('evaluations.label')} className={classes.views}>
        {views.map(({ to, label }) => (
          <NavLink key={to} to={to} end={to === base} className={classes.view}>
            {label}
          </NavLink>
        ))}
      </nav>
      {action}
    </div>
  );
}
