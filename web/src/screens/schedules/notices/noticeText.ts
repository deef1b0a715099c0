import { useTranslation } from 'react-i18next';

import type { Notice, Told } from '~/screens/schedules/notices/noticeQueries';
import { useFormat } from '~/ui/format';

interface Words {
  text: string;
  /** The language that the server wrote it in, where it did. */
  lang?: 'en';
}

/**
 * What a notice says. The server says it in English, with all figures; for readers of other languages it is said from the
 * figures of the runs, as long as these are there.
 */
export function useNoticeText(): (notice: Notice, told: Told) => Words {
  const { t, i18n } = useTranslation('notices');
  const format = useFormat();
  return ({ kind, text }, { run, before }) => {
    const [summary, earlier] = [run?.summary, before?.summary];
    if (i18n.language === 'en' || !run || !summary) return { text, lang: 'en' };
    const [errors, total] = [format.number(summary.errors), format.number(run.total)];
    if (kind === 'nothing_decided') return { text: t('figures.nothing_decided', { errors, total }) };
    if (!earlier) return { text, lang: 'en' };
    if (kind === 'regression') return { text: t('figures.regression', { before: format.percent(earlier.rate), after: format.percent(summary.rate) }) };
    return { text: t('figures.errors', { errors, total, before: format.number(earlier.errors), beforeTotal: format.number(before?.total) }) };
  };
}
