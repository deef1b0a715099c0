import { describe, expect, test, vi } from 'vitest';

import { draftOf, faultsOf, readInput, saveCase } from '~/screens/executions/caseDraft';
import { firstOf } from '~/screens/executions/datasetChoice';
import type { Execution } from '~/screens/executions/executions';
import { NOTHING_TYPED } from '~/ui/typedValue';

import { serve } from '../../server';

const NONE = firstOf([]);
const EXECUTION = { id: '0123456789ab', target_id: 't1', input: 'Hello', attachments: [], outcome: { output: { a: 1 } } } as unknown as Execution;

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

test('a draft needs a dataset, or the name of a new one; the first one is chosen', () => {
  expect(faultsOf(draftOf(EXECUTION, { ...NONE, isNew: false }))).toEqual({ dataset: 'datasetMissing' });
  expect(faultsOf(draftOf(EXECUTION, NONE))).toEqual({ dataset: 'newMissing' });
  expect(faultsOf(draftOf(EXECUTION, { ...NONE, newName: 'Refunds' }))).toEqual({});
  expect(faultsOf(draftOf(EXECUTION, firstOf([{ id: 'd1', may_change: true }, { id: 'd2', may_change: true }])))).toEqual({});
});

test('a text that is an object is one where the target takes or answers objects', () => {
  const execution = { ...EXECUTION, input: '{"city": "Paris"}', outcome: { output: 'no object' } } as unknown as Execution;
  const schema = { type: 'object', properties: { city: { type: 'string' } } };
  const draft = draftOf(execution, NONE, { input_schema: schema, output_schema: schema });
  expect(readInput(draft.input)).toEqual({ value: { city: 'Paris' } });
  expect(draft.expected).toEqual({ text: 'no object', as: 'auto' });
  expect(readInput(draftOf(execution, NONE).input)).toEqual({ value: '{"city": "Paris"}' });
});

test('it is called after its trace', () => {
  expect(draftOf(EXECUTION, NONE).name).toBe('Trace 01234567');
});

test('the new dataset is made for the target, once; a cleared output is sent as null', async () => {
  const requests = serve({
    'POST /api/eval/datasets': { status: 201, body: { id: 'd1', name: 'Refunds' } },
    'POST /api/executions/0123456789ab/to-case': { status: 201, body: {} },
  });
  const made = vi.fn();
  await saveCase(EXECUTION, { ...draftOf(EXECUTION, { ...NONE, newName: ' Refunds ' }), behavior: 'Is kind.', expected: NOTHING_TYPED, isDraft: true }, made);
  const [dataset, sent] = await Promise.all(requests.map((request) => request.json()));
  expect(dataset).toMatchObject({ name: 'Refunds', target_id: 't1' });
  expect(sent).toEqual({ dataset_id: 'd1', name: 'Trace 01234567', input: 'Hello', attachments: [], expected_output: null, expected_behavior: 'Is kind.', status: 'draft' });
  expect(made).toHaveBeenCalledWith({ isNew: false, dataset: 'd1', newName: '' });
});
