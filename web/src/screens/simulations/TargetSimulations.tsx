import { Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { MissingSimulations } from '~/screens/simulations/MissingSimulations';
import { SimulationDialog } from '~/screens/simulations/SimulationDialog';
import { SimulationList } from '~/screens/simulations/SimulationList';
import { componentsQuery, type Simulation, type Simulations } from '~/screens/simulations/simulations';
import { EmptyState } from '~/ui/EmptyState';
import { ErrorPanel } from '~/ui/ErrorPanel';

interface Props {
  target: string;
  simulations: Readonly<Simulations>;
  /** The dataset's, where `simulations` are those of one case. */
  inherited?: Readonly<Simulations>;
  /** What is being simulated, by name; null for nothing. */
  open: string | null;
  onOpen: (name: string | null) => void;
  /** Takes a simulation; may be a promise. The pointers of an `ApiError` lead into the simulation. */
  onDone: (name: string, simulation: Simulation) => unknown;
  onRemove: (name: string) => void;
  submitLabel: string;
  faultOf?: (name: string) => string | undefined;
  disabled?: boolean;
}

/** The tools and steps of a target's active version, what stands in for each, and the form for one. */
export function TargetSimulations({ target, simulations, inherited, open, onOpen, onDone, onRemove, submitLabel, faultOf, disabled }: Props) {
  const { t } = useTranslation('simulations');
  const found = useQuery(componentsQuery(target));
  if (found.error) return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton height={220} />;
  const { tools: components, skipped } = found.data;
  const chosen = components.find(({ name }) => name === open) ?? null;
  const initial = chosen ? (simulations[chosen.name] ?? inherited?.[chosen.name]) : undefined;
  const none = components.length === 0 && Object.keys(simulations).length === 0;
  return (
    <Stack gap="sm">
      <MissingSimulations components={components} simulations={{ ...inherited, ...simulations }} />
      <Paper>{none ? <EmptyState title={t('empty')} text={t('emptyText')} /> : <SimulationList components={components} simulations={simulations} inherited={inherited} onEdit={onOpen} onRemove={onRemove} faultOf={faultOf} disabled={disabled} />}</Paper>
      {skipped.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('skipped', { count: skipped.length, names: skipped.join(', ') })}
        </Text>
      )}
      <SimulationDialog component={chosen} initial={initial} submitLabel={submitLabel} onClose={() => onOpen(null)} onDone={onDone} />
    </Stack>
  );
}
