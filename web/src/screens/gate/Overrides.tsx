import { Stack } from '@mantine/core';
import { IconShieldOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { type Override, overridesQuery } from '~/screens/gate/gateQueries';
import { PolicyView } from '~/screens/gate/PolicyView';
import { useFormat } from '~/ui/format';

import classes from './Gate.module.css';

/** Every exception that was made for a version, with the figures of then. It stays for ever. */
export function Overrides({ targetId, number }: { targetId: string; number: number }) {
  const overrides = useQuery(overridesQuery(targetId));
  const found = (overrides.data?.items ?? []).filter(({ version }) => version === number);
  if (found.length === 0) return null;
  return (
    <Stack gap="sm">
      {found.map((override) => (
        <One key={override.id} override={override} />
      ))}
    </Stack>
  );
}

function One({ override: { by, at, reason, state } }: { override: Override }) {
  const { t } = useTranslation('gate');
  const format = useFormat();
  const against = state.policies.filter(({ enabled, decision }) => enabled && decision.ruling !== 'allow');
  return (
    <section className={classes.override} aria-label={t('override.mark')}>
      <div className={classes.overrideHead}>
        <IconShieldOff size={18} aria-hidden />
        {t('override.head', { by, when: format.dateTime(at) })}
      </div>
      <p className={classes.why}>{t('override.reason', { reason })}</p>
      <div className={classes.quiet}>{t('override.then')}</div>
      <ul className={classes.policies}>
        {against.map((policy) => (
          <PolicyView key={policy.dataset_id} policy={policy} version={state.version} />
        ))}
      </ul>
    </section>
  );
}
