import type { Condition } from '~/screens/simulations/simulations';
import { readNumber } from '~/ui/schema-form/NumberField';
import type { Json } from '~/ui/schema-form/schema';

const OF_VALUES = ['equals', 'not_equals', 'contains'] as const;
const OF_NUMBERS = ['above', 'at_least', 'below', 'at_most'] as const;
/** What a condition may ask of a value, in the order in which it is offered. */
export const TESTS = ['equals', 'not_equals', 'one_of', 'contains', 'exists', ...OF_NUMBERS] as const;
export type TestName = (typeof TESTS)[number];

/** One test as it stands in the form. `texts`: what was typed; several for `one_of` alone. */
export interface TestDraft {
  name: TestName;
  texts: string[];
}

/** A path into the arguments, and what must hold of what stands there. */
export interface ConditionDraft {
  path: string;
  tests: TestDraft[];
}

export type ConditionFault = 'path' | 'value' | 'number';

export const NEW_TEST: TestDraft = { name: 'equals', texts: [''] };
export const NEW_CONDITION: ConditionDraft = { path: '$.', tests: [NEW_TEST] };

/** What was typed as a value: JSON where it is JSON, such as `5`, `true` or `"5"`; else the text itself. */
export function readValue(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text.trim();
  }
}

/** A value as somebody would type it. */
export function valueText(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return value !== '' && readValue(value) === value ? value : JSON.stringify(value);
}

export function conditionDraft(condition: Condition): ConditionDraft {
  const given = TESTS.filter((name) => name in condition && (condition[name] !== null || isOfValues(name)));
  return { path: condition.path, tests: given.map((name) => ({ name, texts: textsOf(condition[name] as Json, name) })) };
}

function textsOf(value: Json, name: TestName): string[] {
  return name === 'one_of' && Array.isArray(value) ? value.map(valueText) : [valueText(value)];
}

/** Another test in the place of one, with what was typed where it still says something. */
export function withName({ texts }: TestDraft, name: TestName): TestDraft {
  if (name === 'exists') return { name, texts: ['true'] };
  const kept = texts.filter((text) => text !== '');
  return { name, texts: name === 'one_of' ? kept : [kept[0] ?? ''] };
}

/** Why a test cannot be sent; null when it can. */
export function testFault({ name, texts }: TestDraft): ConditionFault | null {
  if (isOfNumbers(name)) return readNumber(texts[0] ?? '') ? null : 'number';
  return texts.length === 0 || texts.some((text) => text.trim() === '') ? 'value' : null;
}

export function pathFault({ path }: ConditionDraft): ConditionFault | null {
  return /^\s*\$(.*[^\s.])?\s*$/.test(path) ? null : 'path';
}

export function hasFault(condition: ConditionDraft): boolean {
  return pathFault(condition) !== null || condition.tests.some((test) => testFault(test) !== null);
}

/** The condition of a draft that has no fault. */
export function conditionOf({ path, tests }: ConditionDraft): Condition {
  return { path: path.trim(), ...Object.fromEntries(tests.map((test) => [test.name, valueOf(test)])) };
}

function valueOf({ name, texts }: TestDraft): Json {
  if (name === 'one_of') return texts.map(readValue);
  const text = texts[0] ?? '';
  return isOfNumbers(name) ? (readNumber(text)?.value ?? null) : readValue(text);
}

function isOfValues(name: TestName): boolean {
  return OF_VALUES.some((each) => each === name);
}

export function isOfNumbers(name: TestName): boolean {
  return OF_NUMBERS.some((each) => each === name);
}
