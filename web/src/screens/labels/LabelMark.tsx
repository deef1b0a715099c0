import { IconUserCheck, IconUserX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import type { LabelVerdict } from '~/screens/labels/labelQueries';

import classes from './Labels.module.css';

/** What a person said of a result, apart from what the judges said. */
export function LabelMark({ verdict }: { verdict: LabelVerdict }) {
  const { t } = useTranslation('labels');
  const Icon = verdict === 'pass' ? IconUserCheck : IconUserX;
  return (
    <span className={classes.mark}>
      <Icon size={14} aria-hidden /> {t(`mark.${verdict}`)}
    </span>
  );
}
