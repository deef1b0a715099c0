import { Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

import { runGateQuery } from '~/screens/gate/gateQueries';
import { PolicyView } from '~/screens/gate/PolicyView';
import type { Run } from '~/screens/runs/runQueries';

import classes from './Gate.module.css';

/** What the gate says of the version that a run evaluated; nothing where no policy is on its dataset. */
export function RunGate({ run }: { run: Run }) {
  const { t } = useTranslation('gate');
  const id = useId();
  const gate = useQuery({ ...runGateQuery(run.id), enabled: run.summary !== null });
  if (!gate.data?.length) return null;
  const other = gate.data.find((policy) => policy.run !== null && policy.run.run_id !== run.id);
  return (
    <Paper className={classes.version} component="section" aria-labelledby={id}>
      <Title order={2} size="h3" id={id}>
        {t('ofRun', { target: run.target_name, version: run.target_version })}
      </Title>
      <ul className={classes.policies}>
        {gate.data.map((policy) => (
          <PolicyView key={policy.dataset_id} policy={policy} version={run.target_version} />
        ))}
      </ul>
      {(other ?? !run.spec.complete) && (
        <Text size="sm" c="dimmed" pb="sm">
          {run.spec.complete ? t('otherRun') : t('notComplete')}
        </Text>
      )}
    </Paper>
  );
}
