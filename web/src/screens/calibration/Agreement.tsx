import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { useFormat } from '~/ui/format';

import classes from './Calibration.module.css';

interface Props {
  calibration: Schemas['Calibration'];
}

/** Agreement with people beyond chance. */
export function Kappa({ calibration: { kappa, kappa_interval } }: Props) {
  const { t } = useTranslation('calibration');
  const format = useFormat();
  const [low, high] = kappa_interval ?? [];
  return (
    <div>
      <div className={classes.name}>{t('kappa.name')}</div>
      <div className={classes.value}>
        {kappa === null ? '–' : format.score(kappa)}
        {kappa_interval && <span className={classes.more}>{t('kappa.interval', { low: format.score(Math.max(-1, low ?? -1)), high: format.score(Math.min(1, high ?? 1)) })}</span>}
      </div>
      <div className={classes.text}>{kappa === null ? t('kappa.none') : t('kappa.text')}</div>
    </div>
  );
}

/** Agreement of a judge's samples with each other: Krippendorff's alpha, with the counts behind it. */
export function SelfAgreement({ calibration: { self_agreement, resampled, disagreed, unanimous, older_runs } }: Props) {
  const { t } = useTranslation('calibration');
  const format = useFormat();
  const words = resampled === 0 ? t('self.none') : unanimous ? t('self.unanimous', { count: resampled }) : t('self.text', { disagreed, count: resampled });
  return (
    <div>
      <div className={classes.name}>{t('self.name')}</div>
      <div className={classes.value}>{self_agreement !== null ? format.score(self_agreement) : unanimous && resampled > 0 ? format.percent(1) : '–'}</div>
      <div className={classes.text}>
        {words} {older_runs > 0 && t('self.older', { count: older_runs })}
      </div>
    </div>
  );
}
