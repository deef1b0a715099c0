import { IconAlertTriangleFilled, IconCheck } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import classes from '~/ui/Badges.module.css';

/** Whether a target answered; if not, what type of failure it was. An answer is not green: nobody has graded it. */
export function OutcomeBadge({ failure }: { failure: string | null }) {
  const { t } = useTranslation('executions');
  return (
    <span className={classes.badge} data-tone={failure === null ? 'plain' : 'error'}>
      {failure === null ? <IconCheck size={16} aria-hidden /> : <IconAlertTriangleFilled size={16} aria-hidden />}
      {failure === null ? t('status.ok') : `${t('status.error')} · ${failure}`}
    </span>
  );
}
