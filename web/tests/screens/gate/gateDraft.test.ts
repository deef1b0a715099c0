import { expect, test } from 'vitest';

import { addPolicy, draftsOf, policiesOf } from '~/screens/gate/gateDraft';

test.each([0.07, 0.8, 0.875, 1 / 3, 1])('a threshold of %d comes back as it was', (threshold) => {
  const [policy] = policiesOf(draftsOf([{ dataset_id: 'd', threshold, enabled: true }])) ?? [];
  expect(policy?.threshold).toBeCloseTo(threshold, 6);
  if (threshold !== 1 / 3) expect(policy?.threshold).toBe(threshold);
});

test('one that is not complete is not sent', () => {
  const drafts = addPolicy(draftsOf([{ dataset_id: 'd', threshold: 0.5, enabled: false }]));
  expect(policiesOf(drafts)).toBeNull();
  expect(policiesOf(drafts.with(1, { key: 1, dataset: 'e', percent: 0, enabled: true }))).toBeNull();
  expect(policiesOf(drafts.with(1, { key: 1, dataset: 'e', percent: '', enabled: true }))).toBeNull();
  expect(policiesOf(drafts.with(1, { key: 1, dataset: 'e', percent: 90, enabled: true }))).toEqual([
    { dataset_id: 'd', threshold: 0.5, enabled: false },
    { dataset_id: 'e', threshold: 0.9, enabled: true },
  ]);
});
