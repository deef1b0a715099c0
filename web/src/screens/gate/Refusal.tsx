import { IconShieldCheck, IconShieldX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import type { GateState } from '~/screens/gate/gateQueries';
import { Policies } from '~/screens/gate/Policies';

import classes from './Gate.module.css';

/** Whether the gate lets a version pass, policy by policy. */
export function Refusal({ state }: { state: GateState }) {
  const { t } = useTranslation('gate');
  const { allowed, version } = state;
  const Icon = allowed ? IconShieldCheck : IconShieldX;
  return (
    <section className={classes.verdict} data-refused={allowed ? undefined : true}>
      <div className={classes.verdictHead} role={allowed ? 'status' : 'alert'}>
        <Icon size={20} aria-hidden />
        {allowed ? t('allowed', { version }) : t('refused', { version })}
      </div>
      <Policies state={state} />
    </section>
  );
}
