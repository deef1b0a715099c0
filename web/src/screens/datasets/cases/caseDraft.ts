import type { Schemas } from '~/api/client';
import type { Binding } from '~/screens/evaluators/specs';
import type { Simulations } from '~/screens/simulations/simulations';
import type { Json, JsonObject } from '~/ui/schema-form/schema';
import { isObject } from '~/ui/schema-form/values';
import { NOTHING_TYPED, readTyped, type Typed, typedOf } from '~/ui/typedValue';

export type Case = Schemas['Case-Output'];

/** How a key begins that the server made from the input. */
const MADE = /^auto-[0-9a-f]{12}(-\d+)?$/;

/** A case as it stands in the form. */
export interface CaseDraft {
  /** Whether the input is text, or a JSON object. */
  inputAs: 'text' | 'json';
  input: string;
  behavior: string;
  assertions: string[];
  expected: Typed;
  evaluators: Binding[];
  criteria: Record<string, JsonObject>;
  simulations: Simulations;
  /** They go to the target with the input. */
  attachments: Case['attachments'];
  /** Empty where it is made from the input. */
  key: string;
  name: string;
  tags: string[];
  enabled: boolean;
  status: Schemas['CaseStatus'];
}

/** The fields of a case as the API takes them. */
export type CaseValues = Pick<Case, 'input' | 'expected_behavior' | 'assertions' | 'expected_output' | 'evaluators' | 'criteria' | 'key' | 'name' | 'tags' | 'enabled' | 'status' | 'attachments'> & { simulations: Simulations };
export type CaseField = keyof CaseValues;

export const NEW_CASE: CaseDraft = {
  inputAs: 'text',
  input: '',
  behavior: '',
  assertions: [],
  expected: NOTHING_TYPED,
  evaluators: [],
  criteria: {},
  simulations: {},
  attachments: [],
  key: '',
  name: '',
  tags: [],
  enabled: true,
  status: 'ready',
};

export function draftOf(stored: Case): CaseDraft {
  const asText = typeof stored.input === 'string';
  return {
    inputAs: asText ? 'text' : 'json',
    input: asText ? (stored.input as string) : JSON.stringify(stored.input, null, 2),
    behavior: stored.expected_behavior ?? '',
    assertions: stored.assertions,
    expected: typedOf(stored.expected_output as Json),
    evaluators: stored.evaluators,
    criteria: stored.criteria as Record<string, JsonObject>,
    simulations: stored.simulations as Simulations,
    attachments: stored.attachments,
    key: hasOwnKey(stored) ? stored.key : '',
    name: stored.name,
    tags: stored.tags,
    enabled: stored.enabled,
    status: stored.status,
  };
}

/** Whether somebody gave the case its key. */
export function hasOwnKey({ key }: Pick<Case, 'key'>): boolean {
  return !MADE.test(key);
}

/** What people call a case: its name, its own key, or how its input begins. */
export function titleOf(stored: Case): string {
  return stored.name || (hasOwnKey(stored) ? stored.key : inputText(stored));
}

export function inputText({ input }: Pick<Case, 'input'>): string {
  return typeof input === 'string' ? input : JSON.stringify(input);
}

/** The values of a draft. It must have no faults. */
export function valuesOf(draft: CaseDraft): CaseValues {
  const expected = readTyped(draft.expected);
  return {
    input: draft.inputAs === 'text' ? draft.input : (JSON.parse(draft.input) as JsonObject),
    expected_behavior: draft.behavior.trim() || null,
    assertions: draft.assertions.map((text) => text.trim()).filter(Boolean),
    expected_output: 'value' in expected ? expected.value : null,
    evaluators: draft.evaluators,
    criteria: draft.criteria,
    simulations: draft.simulations,
    attachments: draft.attachments,
    key: draft.key.trim(),
    name: draft.name.trim(),
    tags: draft.tags,
    enabled: draft.enabled,
    status: draft.status,
  };
}

/** Only what differs: what nobody touched is not sent, so that it cannot overwrite what somebody else wrote. */
export function changesBetween(before: CaseValues, after: CaseValues): Partial<CaseValues> {
  const names = Object.keys(after) as CaseField[];
  return Object.fromEntries(names.filter((name) => !same(before[name], after[name])).map((name) => [name, after[name]]));
}

export function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The input as a value that may be given by fields, by JSON or by text. */
export function typedInput({ inputAs, input }: Pick<CaseDraft, 'inputAs' | 'input'>): Typed {
  if (input.trim() === '') return NOTHING_TYPED;
  return { text: input, as: inputAs };
}

/** The other way. Text that is read as JSON is an object, or will be told to be none. */
export function inputOf(typed: Typed): Pick<CaseDraft, 'inputAs' | 'input'> {
  const { kind } = readTyped(typed);
  return { inputAs: kind === 'json' || kind === 'fault' ? 'json' : 'text', input: typed.text };
}

/** Why the input cannot be sent: it is missing, is no JSON, or is JSON but no object. */
export function inputFault({ inputAs, input }: CaseDraft): 'missing' | 'notJson' | 'notAnObject' | null {
  if (input.trim() === '') return 'missing';
  if (inputAs === 'text') return null;
  try {
    return isObject(JSON.parse(input) as Json) ? null : 'notAnObject';
  } catch {
    return 'notJson';
  }
}

/** Whether anything would decide about an answer: an expectation, or an evaluator that does more than inform. */
export function isGraded(draft: CaseDraft, bound: readonly Binding[]): boolean {
  const decides = ({ weight }: Binding) => weight > 0;
  return (
    draft.behavior.trim() !== '' ||
    draft.assertions.some((text) => text.trim() !== '') ||
    readTyped(draft.expected).kind !== 'none' ||
    draft.evaluators.some(decides) ||
    bound.some(decides)
  );
}
