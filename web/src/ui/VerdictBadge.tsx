import { IconAlertTriangleFilled, IconCircleCheckFilled, IconCircleXFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import classes from './Badges.module.css';

export type Verdict = 'pass' | 'fail' | 'error';

const ICONS = { pass: IconCircleCheckFilled, fail: IconCircleXFilled, error: IconAlertTriangleFilled };

/** A verdict, by its word, its icon and its colour. */
export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const { t } = useTranslation('common');
  const Icon = ICONS[verdict];
  return (
    <span className={classes.badge} data-tone={verdict}>
      <Icon size={16} aria-hidden />
      {t(`verdict.${verdict}`)}
    </span>
  );
}
