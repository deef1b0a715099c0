import { IconAlertTriangleFilled, IconCheck, IconHandStop, IconPlayerPlay } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import type { Execution } from '~/screens/executions/executions';

import classes from '~/ui/Badges.module.css';

const ICONS = { ok: IconCheck, error: IconAlertTriangleFilled, running: IconPlayerPlay, waiting: IconHandStop };
const TONES = { ok: 'plain', error: 'error', running: 'live', waiting: 'error' };

interface Props {
  status: Execution['status'];
  /** What type of failure it was. */
  failure: string | null;
}

/** Where an execution stands; an answer is not green, since nobody has graded it. */
export function OutcomeBadge({ status, failure }: Props) {
  const { t } = useTranslation('executions');
  const Icon = ICONS[status];
  return (
    <span className={classes.badge} data-tone={TONES[status]}>
      <Icon size={16} aria-hidden />
      {failure === null ? t(`status.${status}`) : `${t(`status.${status}`)} · ${failure}`}
    </span>
  );
}
