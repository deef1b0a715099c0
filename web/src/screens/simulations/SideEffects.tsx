import { Anchor, Stack, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { datasetQuery } from '~/screens/runs/runQueries';
import { componentsQuery, missing, type Simulations, simulationsAddress } from '~/screens/simulations/simulations';
import { Caution } from '~/ui/Caution';

interface Props {
  target: string | null;
  dataset: string | null;
  allowed: boolean;
  /** Whether the server has refused for side effects: another version may have others than the active one. */
  refused: boolean;
  onAllow: (allowed: boolean) => void;
}

/** Where the dataset leaves out what changes the world or asks a person: whether the evaluation may do it for real. */
export function SideEffects({ target, dataset, allowed, refused, onAllow }: Props) {
  const { t } = useTranslation('simulations');
  const components = useQuery({ ...componentsQuery(target ?? ''), enabled: target !== null });
  const found = useQuery({ ...datasetQuery(dataset ?? ''), enabled: dataset !== null });
  if (target === null || dataset === null || !components.data || !found.data) return null;
  const { person, effect } = missing(components.data.tools, found.data.simulations as Simulations);
  const asks = effect.length > 0 || refused || allowed;
  if (!asks && person.length === 0) return null;
  const help = effect.length > 0 ? t('run.allowHelp', { count: effect.length, names: effect.join(', ') }) : t('run.allowUnknown');
  return (
    <Stack gap="xs">
      {person.length > 0 && <Text size="sm">{t('run.people', { count: person.length, names: person.join(', ') })}</Text>}
      {asks && <Switch label={t('run.allow')} description={help} checked={allowed} onChange={({ currentTarget }) => onAllow(currentTarget.checked)} />}
      {allowed && <Caution title={t('run.warning')}>{t('run.warningText')}</Caution>}
      <Anchor component={Link} to={simulationsAddress(dataset, target)} size="sm">
        {t('run.toSimulations')}
      </Anchor>
    </Stack>
  );
}
