import type { Schemas } from '~/api/client';

/** A policy as it stands in the form. */
export interface Draft {
  /** What tells it apart while it is edited. */
  key: number;
  dataset: string | null;
  percent: number | string;
  enabled: boolean;
}

const USUAL_PERCENT = 80;
/** Digits of a share that a percentage with four decimals has; binary fractions are rounded back to them. */
const SHARE_DIGITS = 6;

export function draftsOf(policies: readonly Schemas['DatasetGate'][]): Draft[] {
  return policies.map(({ dataset_id, threshold, enabled }, key) => ({ key, dataset: dataset_id, percent: rounded(threshold * 100, SHARE_DIGITS - 2), enabled }));
}

export function addPolicy(drafts: readonly Draft[]): Draft[] {
  const key = Math.max(-1, ...drafts.map((draft) => draft.key)) + 1;
  return [...drafts, { key, dataset: null, percent: USUAL_PERCENT, enabled: true }];
}

/** The policies as the server takes them; null while one is not complete. */
export function policiesOf(drafts: readonly Draft[]): Schemas['DatasetGate'][] | null {
  const found = drafts.flatMap(({ dataset, percent, enabled }) => {
    const share = rounded(Number(percent) / 100, SHARE_DIGITS);
    return dataset !== null && percent !== '' && share > 0 && share <= 1 ? [{ dataset_id: dataset, threshold: share, enabled }] : [];
  });
  return found.length === drafts.length ? found : null;
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
