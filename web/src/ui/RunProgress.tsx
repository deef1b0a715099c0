import { useTranslation } from 'react-i18next';

import { useFormat } from '~/ui/format';

import classes from './RunProgress.module.css';

interface Props {
  /** Results that there will be. */
  total: number;
  passed: number;
  failed: number;
  errors: number;
}

/** How far a run is: what passed, failed and erred, each as its share of all. */
export function RunProgress({ total, passed, failed, errors }: Props) {
  const { t } = useTranslation('ui');
  const format = useFormat();
  const done = passed + failed + errors;
  const text = t('progress.text', { done: format.number(done), total: format.number(total) });
  const parts = [
    { tone: 'pass', count: passed, words: t('progress.passed', { count: passed }) },
    { tone: 'fail', count: failed, words: t('progress.failed', { count: failed }) },
    { tone: 'error', count: errors, words: t('progress.errors', { count: errors }) },
  ];
  const spoken = [text, ...parts.filter(({ count }) => count > 0).map(({ words }) => words)].join(', ');
  return (
    <div className={classes.progress}>
      <div className={classes.bar} role="progressbar" aria-label={t('progress.label')} aria-valuemin={0} aria-valuemax={total} aria-valuenow={done} aria-valuetext={spoken}>
        {parts.map(({ tone, count }) => (
          <div key={tone} className={classes.part} data-tone={tone} style={{ width: `${total > 0 ? (count / total) * 100 : 0}%` }} />
        ))}
      </div>
      <div className={classes.legend} aria-hidden>
        <span>{text}</span>
        {parts.map(({ tone, count, words }) => count > 0 && <span key={tone} className={classes.count} data-tone={tone}>{words}</span>)}
      </div>
    </div>
  );
}
