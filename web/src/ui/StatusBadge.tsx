import { IconBan, IconCheck, IconClock, IconPlayerPlay, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import classes from './Badges.module.css';

export type RunStatus = 'pending' | 'running' | 'completed' | 'cancelled' | 'failed';

const ICONS = { pending: IconClock, running: IconPlayerPlay, completed: IconCheck, cancelled: IconBan, failed: IconX };
const TONES = { pending: 'quiet', running: 'live', completed: 'plain', cancelled: 'quiet', failed: 'fail' };

/** Where a run stands. A completed run is not green: whether it went well is said by its verdicts. */
export function StatusBadge({ status }: { status: RunStatus }) {
  const { t } = useTranslation('common');
  const Icon = ICONS[status];
  return (
    <span className={classes.badge} data-tone={TONES[status]}>
      <Icon size={16} aria-hidden />
      {t(`status.${status}`)}
    </span>
  );
}
