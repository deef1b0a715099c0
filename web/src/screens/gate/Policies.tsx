import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { GateState, PolicyState } from '~/screens/gate/gateQueries';
import { PolicyView } from '~/screens/gate/PolicyView';
import { RunSuite } from '~/screens/runs/RunSuite';

import classes from './Gate.module.css';

/** What each policy says of a version, those in the way with what would mend it. */
export function Policies({ state }: { state: GateState }) {
  const { t } = useTranslation('gate');
  return (
    <ul className={classes.policies} aria-label={t('policies', { version: state.version })}>
      {state.policies.map((policy) => (
        <PolicyView key={policy.dataset_id} policy={policy} version={state.version} action={<Mend state={state} policy={policy} />} />
      ))}
    </ul>
  );
}

/** A run that is missing or stale is made; errors are retried where the run is. */
function Mend({ state, policy }: { state: GateState; policy: PolicyState }) {
  const { t } = useTranslation('gate');
  const { standing, decision, run, enabled } = policy;
  if (!enabled || decision.ruling !== 'undecided') return null;
  if (standing === 'found' && run && !run.deleted) {
    return (
      <Button component={Link} to={`/runs/${run.run_id}`} size="xs" variant="default" className={classes.mend}>
        {t('retry')}
      </Button>
    );
  }
  return (
    <RunSuite targetId={state.target_id} version={state.version} dataset={{ id: policy.dataset_id, name: policy.dataset_name }}>
      {(open, gate) => (
        <Button size="xs" variant="default" className={classes.mend} onClick={open} {...gate}>
          {t('runOn', { dataset: policy.dataset_name })}
        </Button>
      )}
    </RunSuite>
  );
}
