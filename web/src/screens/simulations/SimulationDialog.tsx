import { Modal } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { SimulationForm } from '~/screens/simulations/SimulationForm';
import type { Component, Simulation } from '~/screens/simulations/simulations';
import { Apart } from '~/ui/Apart';

interface Props {
  /** What is simulated; null while nothing is. */
  component: Component | null;
  /** What stands in for it until now. */
  initial?: Simulation;
  submitLabel: string;
  onClose: () => void;
  /** Takes the simulation; may be a promise. The pointers of an `ApiError` lead into the simulation. */
  onDone: (name: string, simulation: Simulation) => unknown;
}

/** What stands in for one tool or step. A click beside it does not close it: what was typed would be lost. */
export function SimulationDialog({ component, initial, submitLabel, onClose, onDone }: Props) {
  const { t } = useTranslation(['simulations', 'common']);
  return (
    <Apart>
      <Modal opened={component !== null} onClose={onClose} size="xl" title={t('dialog', { name: component?.name ?? '' })} closeOnClickOutside={false} closeButtonProps={{ 'aria-label': t('common:close') }}>
        {component && <SimulationForm key={component.name} component={component} initial={initial} submitLabel={submitLabel} onClose={onClose} onDone={(simulation) => onDone(component.name, simulation)} />}
      </Modal>
    </Apart>
  );
}
