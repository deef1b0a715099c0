import { answer, api, type Schemas } from '~/api/client';
import { type DatasetChoice, datasetFault, type DatasetFault, readDataset } from '~/screens/executions/datasetChoice';
import type { Execution } from '~/screens/executions/executions';
import type { Json } from '~/ui/schema-form/schema';
import { isObject } from '~/ui/schema-form/values';
import { withFields } from '~/ui/SchemaValueInput';
import { readTyped, type Typed, typedOf } from '~/ui/typedValue';

/** What an execution is to become, as it stands in the form. */
export interface CaseDraft {
  where: DatasetChoice;
  name: string;
  input: Typed;
  attachments: Execution['attachments'];
  behavior: string;
  expected: Typed;
  /** Whether somebody is to look at it again before it runs. */
  isDraft: boolean;
}

export interface DraftFaults {
  dataset?: DatasetFault;
  input?: InputFault;
}

export type InputFault = 'inputMissing' | 'inputWrong';
/** What a target's version says of its input and output. */
type Schemata = Readonly<Record<string, unknown>>;
type Input = Execution['input'];

const NAME_DIGITS = 8;

/** `schemas`: of what the target takes and answers, where it says so. */
export function draftOf({ id, input, attachments, outcome }: Execution, where: DatasetChoice, schemas: Schemata = {}): CaseDraft {
  return {
    where,
    name: `Trace ${id.slice(0, NAME_DIGITS)}`,
    input: typedFor(schemas.input_schema, input as Json),
    attachments,
    behavior: '',
    expected: typedFor(schemas.output_schema, outcome.output as Json),
    isDraft: false,
  };
}

/** Traces hold texts only: where an object is wanted, a text that is one is taken for it. */
function typedFor(schema: unknown, value: Json): Typed {
  const object = typeof value === 'string' && withFields(schema) ? readTyped({ text: value, as: 'json' }) : null;
  return typedOf(object?.kind === 'json' && isObject(object.value) ? object.value : value);
}

/** What must be mended before the draft can be saved; message keys. */
export function faultsOf({ where, input }: CaseDraft): DraftFaults {
  const read = readInput(input);
  const faults: DraftFaults = {};
  const dataset = datasetFault(where);
  if ('fault' in read) faults.input = read.fault;
  if (dataset) faults.dataset = dataset;
  return faults;
}

/** An input is a text or an object. */
export function readInput(typed: Typed): { value: Input } | { fault: InputFault } {
  const read = readTyped(typed);
  if (read.kind === 'none') return { fault: 'inputMissing' };
  if (read.kind === 'text') return { value: read.value };
  return read.kind === 'json' && isObject(read.value) ? { value: read.value } : { fault: 'inputWrong' };
}

/**
 * Makes the dataset where it is new, for the execution's target, and the case in it. Returns the dataset.
 * `onMade` is told of a new dataset at once: should the case be refused, it is there all the same.
 */
export async function saveCase(execution: Execution, draft: CaseDraft, onMade: (where: DatasetChoice) => void): Promise<{ id: string; name: string }> {
  const dataset = await readDataset(draft.where, execution.target_id);
  if (draft.where.isNew) onMade({ isNew: false, dataset: dataset.id, newName: '' });
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
    attachments: draft.attachments,
    status: draft.isDraft ? 'draft' : 'ready',
    ...(draft.name.trim() && { name: draft.name.trim() }),
    ...(draft.behavior.trim() && { expected_behavior: draft.behavior.trim() }),
  };
}
