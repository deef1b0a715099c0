import { describe, expect, test } from 'vitest';

import { draftOf, faultsOf, readInput, saveCase } from '~/screens/executions/caseDraft';
import type { Execution } from '~/screens/executions/executions';
import { NOTHING_TYPED } from '~/ui/typedValue';

import { serve } from '../../server';

const EXECUTION = { id: 'e1', target_id: 't1', input: 'Hello', outcome: { output: { a: 1 } } } as unknown as Execution;

describe('an input', () => {
  test('is a text or an object', () => {
    expect(readInput({ text: 'Hello', as: 'auto' })).toEqual({ value: 'Hello' });
    expect(readInput({ text: '{"a": 1}', as: 'auto' })).toEqual({ value: { a: 1 } });
  });

  test('is needed, and no list', () => {
    expect(readInput(NOTHING_TYPED)).toEqual({ fault: 'inputMissing' });
    expect(readInput({ text: '[1]', as: 'auto' })).toEqual({ fault: 'inputWrong' });
  });
});

test('a draft needs a dataset, or the name of a new one', () => {
  expect(faultsOf(draftOf(EXECUTION, false))).toEqual({ dataset: 'datasetMissing' });
  expect(faultsOf(draftOf(EXECUTION, true))).toEqual({ dataset: 'newMissing' });
  expect(faultsOf({ ...draftOf(EXECUTION, true), newName: 'Refunds' })).toEqual({});
});

test('the new dataset is made for the target; a cleared output is sent as null', async () => {
  const requests = serve({
    'POST /api/eval/datasets': { status: 201, body: { id: 'd1', name: 'Refunds' } },
    'POST /api/executions/e1/to-case': { status: 201, body: {} },
  });
  await saveCase(EXECUTION, { ...draftOf(EXECUTION, true), newName: ' Refunds ', behavior: 'Is kind.', expected: NOTHING_TYPED });
  const [dataset, made] = await Promise.all(requests.map((request) => request.json()));
  expect(dataset).toMatchObject({ name: 'Refunds', target_id: 't1' });
  expect(made).toEqual({ dataset_id: 'd1', input: 'Hello', expected_output: null, expected_behavior: 'Is kind.' });
});
