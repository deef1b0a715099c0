import { describe, expect, test } from 'vitest';

import { draftOf, givenOf, missingIn, newDraft, percents, placed } from '~/screens/online/ruleDraft';

import { aRule } from './samples';

test('a rule goes through its form as it is', () => {
  const rule = aRule();
  const given = givenOf(draftOf(rule));
  expect(given).toMatchObject({ name: rule.name, enabled: true, share: 0.1, filters: rule.filters, judge_samples: 3, most_per_day: 500, cost_per_day: 2, drafts_dataset_id: 'd1' });
  expect(given.evaluators).toEqual([
    { evaluator_id: 'e1', weight: 1 },
    { name: 'latency', weight: 0, spec: { kind: 'latency', max: 30 } },
  ]);
});

test('empty fields are no filters and no limit', () => {
  const given = givenOf({ ...newDraft(), name: ' a ', text: '  ', evaluators: aRule().evaluators });
  expect(given).toMatchObject({ name: 'a', share: 1, filters: { status: 'any', text: null, version: null, min_seconds: null }, cost_per_day: null, drafts_dataset_id: null });
});

test('what a form lacks', () => {
  expect(missingIn({ ...newDraft(), share: 0, mostPerDay: '' })).toEqual({ name: 'name', evaluators: 'evaluators', share: 'share', mostPerDay: 'mostPerDay' });
  expect(missingIn({ ...newDraft(), name: 'a', evaluators: aRule().evaluators })).toEqual({});
});

describe('what the server says', () => {
  const { evaluators } = aRule();
  const fault = (pointer: string) => ({ pointer, detail: 'it does not fit' });

  test('stands at its field, with the name of the evaluator', () => {
    const told = placed([fault('/share'), fault('/filters/version'), fault('/evaluators/1/spec/max')], evaluators);
    expect(told).toEqual({ complete: true, faults: { share: 'it does not fit', version: 'it does not fit', evaluators: 'latency: it does not fit' } });
  });

  test('is not complete where there is no field for it', () => {
    expect(placed([fault('/enabled'), fault('/name')], evaluators)).toEqual({ complete: false, faults: { name: 'it does not fit' } });
    expect(placed([], evaluators).complete).toBe(false);
  });
});

test('a share in percents has no noise', () => {
  expect([0.1, 0.07, 0.29, 1, 0.00005].map(percents)).toEqual([10, 7, 29, 100, 0.005]);
});
