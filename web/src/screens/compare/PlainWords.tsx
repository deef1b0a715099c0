import { List } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { conclusion, midP, MIN_CHANGES } from '~/screens/compare/conclusion';
import { pText, signedPoints } from '~/screens/compare/figuresText';

/** What the interval and the test say, each in a sentence, and what may lie behind the changes. */
export function PlainWords({ comparison: { figures, pairs } }: { comparison: Schemas['Comparison'] }) {
  const { t, i18n } = useTranslation('compare');
  const { difference, interval, cases_better: better, cases_worse: worse, test } = figures;
  if (difference === null) return null;
  const [low = 0, high = 0] = interval;
  const side = low > 0 ? 'above' : high < 0 ? 'below' : 'around';
  const points = (share: number) => signedPoints(share, i18n.language);
  const p = pText(midP(test), i18n.language);
  const noisy = pairs.filter(({ may_be_noise }) => may_be_noise).length;
  const lines = [
    t(`plain.${side}`, { low: points(low), high: points(high) }),
    better + worse < MIN_CHANGES ? t('plain.tooFew', { changed: better + worse, count: MIN_CHANGES }) : t('plain.test', { p, better, worse }),
    conclusion(figures) === 'borderline' && t('plain.borderline'),
    pairs.some(({ trial }) => trial > 0) && t('plain.trials', { better, worse }),
    noisy > 0 && t('plain.noise', { count: noisy }),
  ];
  return (
    <List size="sm" spacing={2} mt="xs">
      {lines.filter((line) => line !== false).map((line) => (
        <List.Item key={line}>{line}</List.Item>
      ))}
    </List>
  );
}
