import { useTranslation } from 'react-i18next';

import { type Component, missing, type Simulations } from '~/screens/simulations/simulations';
import { Caution } from '~/ui/Caution';

interface Props {
  components: readonly Component[];
  simulations: Readonly<Simulations>;
}

/** What must be simulated before an evaluation can start, and why; nothing where all is. */
export function MissingSimulations({ components, simulations }: Props) {
  const { t } = useTranslation('simulations');
  const { person, effect } = missing(components, simulations);
  const count = person.length + effect.length;
  if (count === 0) return null;
  return (
    <Caution title={t('missing.title', { count })}>
      {person.length > 0 && <div>{t('missing.person', { count: person.length, names: person.join(', ') })}</div>}
      {effect.length > 0 && <div>{t('missing.effect', { count: effect.length, names: effect.join(', ') })}</div>}
    </Caution>
  );
}
