import { Alert, Anchor, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { type Refusal, refusalOf } from '~/screens/simulations/refusal';
import { simulationsAddress } from '~/screens/simulations/simulations';
import { ErrorPanel } from '~/ui/ErrorPanel';

import classes from './StartError.module.css';

interface Props {
  error: unknown;
  target: string | null;
  dataset: string | null;
}

/** Why an evaluation could not be started. What is not simulated is listed, with the way to where it can be. */
export function StartError({ error, target, dataset }: Props) {
  const { t } = useTranslation('simulations');
  const refusal = refusalOf(error);
  if (!refusal) return <ErrorPanel error={error} />;
  const { kind, places, more } = refusal;
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title={t(`refused.${kind}`)} role="alert">
      <ul className={classes.list}>
        {places.map((place) => (
          <Place key={place.component} {...place} />
        ))}
        {more > 0 && <li>{t('refused.more', { count: more })}</li>}
      </ul>
      <Text size="sm">{t(`refused.${kind}Text`)}</Text>
      {dataset !== null && (
        <Anchor component={Link} to={simulationsAddress(dataset, target)} className={classes.link}>
          {t('run.toSimulations')}
        </Anchor>
      )}
    </Alert>
  );
}

function Place({ component, cases }: Refusal['places'][number]) {
  const { t } = useTranslation('simulations');
  return (
    <li>
      <strong>{component}</strong> {t('refused.where', { places: cases.map((key) => key ?? t('refused.dataset')).join(', ') })}
    </li>
  );
}
