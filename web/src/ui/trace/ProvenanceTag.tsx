import { type Icon, IconBolt, IconPin, IconSparkles } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import type { Provenance } from '~/ui/trace/provenance';

import classes from './ProvenanceTag.module.css';

const ICONS: Readonly<Record<Provenance, Icon>> = { real: IconBolt, static: IconPin, generated: IconSparkles };

/** Whether a tool or a step acted for real, or what stood in for it: a sign and words. */
export function ProvenanceTag({ provenance }: { provenance: Provenance }) {
  const { t } = useTranslation('trace');
  const Sign = ICONS[provenance];
  return (
    <span className={classes.tag} data-provenance={provenance}>
      <Sign size={13} aria-hidden />
      {t(`provenance.${provenance}`)}
    </span>
  );
}
