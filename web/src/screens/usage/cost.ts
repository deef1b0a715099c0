import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { useFormat } from '~/ui/format';

export type Usage = Schemas['Usage-Output'];

/**
 * What some calls cost, in words: unknown where no call has a known price, "at least" where only some have, and a dash
 * where there was no call.
 */
export function useCostText(): (usage: Usage) => string {
  const { t } = useTranslation('usage');
  const format = useFormat();
  return ({ calls, cost, unpriced }) => {
    if (calls === 0) return '–';
    return cost !== null && unpriced > 0 ? t('atLeast', { cost: format.money(cost) }) : format.money(cost);
  };
}

/** How many calls have no known price; null where all have one. */
export function useUnpricedText(): (usage: Usage) => string | null {
  const { t } = useTranslation('usage');
  return ({ unpriced }) => (unpriced > 0 ? t('unpriced', { count: unpriced }) : null);
}

/** Input and output tokens together; null where neither is known. */
export function tokensOf({ input_tokens, output_tokens }: Usage): number | null {
  return input_tokens === null && output_tokens === null ? null : (input_tokens ?? 0) + (output_tokens ?? 0);
}
