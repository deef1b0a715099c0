import { answer, api, type Schemas } from '~/api/client';
import type { Execution } from '~/screens/executions/executions';
import type { Json } from '~/ui/schema-form/schema';
import { isObject } from '~/ui/schema-form/values';
import { readTyped, type Typed, typedOf } from '~/ui/typedValue';

/** What an execution is to become, as it stands in the form. */
export interface CaseDraft {
  /** Whether the dataset is yet to be made. */
  isNew: boolean;
  dataset: string | null;
  newName: string;
  name: string;
  input: Typed;
  behavior: string;
  expected: Typed;
}

export interface DraftFaults {
  dataset?: 'datasetMissing' | 'newMissing';
  input?: InputFault;
}

export type InputFault = 'inputMissing' | 'inputWrong';
type Input = Execution['input'];

export function draftOf({ input, outcome }: Execution, isNew: boolean): CaseDraft {
  return { isNew, dataset: null, newName: '', name: '', input: typedOf(input as Json), behavior: '', expected: typedOf(outcome.output as Json) };
}

/** What must be mended before the draft can be saved; message keys. */
export function faultsOf({ isNew, dataset, newName, input }: CaseDraft): DraftFaults {
  const read = readInput(input);
  const faults: DraftFaults = {};
  if ('fault' in read) faults.input = read.fault;
  if (isNew && !newName.trim()) faults.dataset = 'newMissing';
  if (!isNew && !dataset) faults.dataset = 'datasetMissing';
  return faults;
}

/** An input is a text or an object. */
export function readInput(typed: Typed): { value: Input } | { fault: InputFault } {
  const read = readTyped(typed);
  if (read.kind === 'none') return { fault: 'inputMissing' };
  if (read.kind === 'text') return { value: read.value };
  return read.kind === 'json' && isObject(read.value) ? { value: read.value } : { fault: 'inputWrong' };
}

/** Makes the dataset where it is new, for the execution's target, and the case in it. Returns the dataset. */
export async function saveCase(execution: Execution, draft: CaseDraft): Promise<{ id: string; name: string }> {
  const dataset = draft.isNew
    ? await answer(api.POST('/api/eval/datasets', { body: { name: draft.newName.trim(), target_id: execution.target_id, judge_samples: 1 } }))
    : await answer(api.GET('/api/eval/datasets/{dataset_id}', { params: { path: { dataset_id: draft.dataset ?? '' } } }));
  await answer(api.POST('/api/executions/{execution_id}/to-case', { params: { path: { execution_id: execution.id } }, body: bodyOf(draft, dataset.id) }));
  return dataset;
}

function bodyOf(draft: CaseDraft, datasetId: string): Schemas['ToCase'] {
  const input = readInput(draft.input);
  const expected = readTyped(draft.expected);
  return {
    dataset_id: datasetId,
    input: 'value' in input ? input.value : null,
    // A null clears it; left out, it would be the answer.
    expected_output: expected.kind === 'text' || expected.kind === 'json' ? expected.value : null,
    ...(draft.name.trim() && { name: draft.name.trim() }),
    ...(draft.behavior.trim() && { expected_behavior: draft.behavior.trim() }),
  };
}
