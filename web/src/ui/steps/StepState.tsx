import { Loader } from '@mantine/core';
import { IconAlertTriangleFilled, IconCheck, IconCircleDashed, IconHandStop, IconPlayerSkipForward } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import classes from './StepState.module.css';

/** `open`: it has not begun. `asked`: it waits for a person. */
export type StepStatus = 'open' | 'running' | 'asked' | 'done' | 'skipped' | 'failed';

const ICONS = { open: IconCircleDashed, asked: IconHandStop, done: IconCheck, skipped: IconPlayerSkipForward, failed: IconAlertTriangleFilled };

/** Where a step stands: a sign and a word. */
export function StepState({ status }: { status: StepStatus }) {
  const { t } = useTranslation('workflows');
  const Icon = status === 'running' ? null : ICONS[status];
  return (
    <span className={classes.state} data-status={status}>
      {Icon ? <Icon size={14} aria-hidden /> : <Loader size={12} aria-hidden />}
      {t(`state.${status}`)}
    </span>
  );
}
