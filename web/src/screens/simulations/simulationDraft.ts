import { type ConditionDraft, conditionDraft, conditionOf, hasFault } from '~/screens/simulations/conditionDraft';
import type { Component, Simulation, StaticAnswer } from '~/screens/simulations/simulations';
import { check } from '~/ui/schema-form/check';
import { misfitsOf } from '~/ui/schema-form/misfit';
import { type Json, type JsonObject, type JsonSchema, readSchema } from '~/ui/schema-form/schema';
import { completed, isObject } from '~/ui/schema-form/values';
import { withFields } from '~/ui/SchemaValueInput';
import { readTyped, type Typed, typedOf } from '~/ui/typedValue';

/** One fixed answer as it stands in the form. */
export interface AnswerDraft {
  /** It stays while answers are moved. */
  id: number;
  output: Typed;
  /** Whether the output is given as text or JSON, not by the fields of its schema. */
  asText: boolean;
  /** Where a field holds a text that is no value. */
  unreadable: readonly string[];
  when: ConditionDraft[];
}

/** A simulation as it stands in the form; what belongs to the other kind is kept. */
export interface SimulationDraft {
  kind: Simulation['kind'];
  answers: AnswerDraft[];
  description: string;
}

/** The name under which a value without fields of its own stands in a form. */
export const ONLY = 'value';

export interface OutputForm {
  schema: JsonSchema;
  /** Whether the value stands under `ONLY`. */
  alone: boolean;
}

/** The form of a component's output; null where nothing is known of it. */
export function outputForm(given: unknown, title: string): OutputForm | null {
  const schema = given as JsonSchema | null | undefined;
  if (!schema || Object.keys(schema).length === 0) return null;
  const fields = withFields(schema);
  if (fields) return { schema: fields, alone: false };
  const value = { format: 'multiline', ...schema, title };
  return { alone: true, schema: { type: 'object', $defs: schema.$defs, properties: { [ONLY]: value }, required: [ONLY] } };
}

/** What somebody typed as the form takes it; null where it fits no form. */
export function inForm({ alone }: OutputForm, typed: Typed): JsonObject | null {
  const read = readTyped(typed);
  if (read.kind === 'none') return {};
  if (read.kind === 'fault') return null;
  if (alone) return { [ONLY]: read.value };
  return isObject(read.value) ? read.value : null;
}

export function outOfForm({ alone }: OutputForm, value: JsonObject): Typed {
  return outputTyped(alone ? value[ONLY] : value);
}

/** What to show for an output, so that reading it again gives the same, an empty text and null included. */
function outputTyped(value: Json | undefined): Typed {
  if (value === undefined) return typedOf(undefined);
  return value === null || value === '' ? { text: JSON.stringify(value), as: 'json' } : typedOf(value);
}

export function draftOf(component: Component, simulation: Simulation | undefined): SimulationDraft {
  const stored = simulation?.kind === 'static' ? simulation.answers : [];
  const answers = stored.length > 0 ? stored.map((answer, id) => answerDraft(component, answer, id)) : [newAnswer(component, 0)];
  return { kind: simulation?.kind ?? 'static', answers, description: simulation?.kind === 'generated' ? simulation.description : '' };
}

function answerDraft({ output_schema }: Component, { output, when }: StaticAnswer, id: number): AnswerDraft {
  const fits = output_schema !== null && misfitsOf(output_schema as JsonSchema, output as Json).length === 0;
  return { id, output: outputTyped(output as Json), asText: !fits, unreadable: [], when: when.map(conditionDraft) };
}

/** An answer that is filled with an example of what the component gives. */
export function newAnswer({ output_schema, example }: Component, id: number): AnswerDraft {
  const output = output_schema === null ? undefined : example;
  return { id, output: outputTyped(output), asText: output_schema === null, unreadable: [], when: [] };
}

type Output = { value: Json; fault: null } | { value: null; fault: 'missing' | 'faulty' };

/** What an answer gives, or why it cannot be sent. */
export function outputOf(answer: AnswerDraft, form: OutputForm | null): Output {
  const given = form && !answer.asText ? inForm(form, answer.output) : null;
  if (form && given) {
    const root = readSchema(form.schema);
    const value = completed(root, given);
    if (answer.unreadable.length > 0 || check(root, value).size > 0) return { value: null, fault: 'faulty' };
    return { value: (form.alone ? value[ONLY] : value) ?? null, fault: null };
  }
  const read = readTyped(answer.output);
  if (read.kind === 'none') return { value: null, fault: 'missing' };
  return read.kind === 'fault' ? { value: null, fault: 'faulty' } : { value: read.value, fault: null };
}

/** Whether every part can be sent. */
export function isSound(draft: SimulationDraft, form: OutputForm | null): boolean {
  if (draft.kind === 'generated') return draft.description.trim() !== '';
  return draft.answers.length > 0 && draft.answers.every((answer) => outputOf(answer, form).fault === null && !answer.when.some(hasFault));
}

/** The simulation of a draft that is sound. */
export function simulationOf(draft: SimulationDraft, form: OutputForm | null): Simulation {
  if (draft.kind === 'generated') return { kind: 'generated', description: draft.description.trim() };
  return { kind: 'static', answers: draft.answers.map((answer) => ({ output: outputOf(answer, form).value, when: answer.when.map(conditionOf) })) };
}

/** Whether some call would find no answer, and the place of the first answer that none would reach. */
export function reachOf(answers: readonly AnswerDraft[]): { open: boolean; unreached: number | null } {
  const always = answers.findIndex(({ when }) => when.length === 0);
  const unreached = always === -1 ? -1 : answers.findIndex(({ when }, index) => index > always && when.length > 0);
  return { open: always === -1, unreached: unreached === -1 ? null : unreached };
}
