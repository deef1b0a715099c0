import type { Json, JsonObject } from '~/ui/schema-form/schema';
import { isObject } from '~/ui/schema-form/values';

/** What names a thing stands at its head. */
const FIRST = ['name', 'kind'];

/** A definition as lines to compare: a field in each, texts of several lines as they are, below their name. */
export function definitionText(definition: JsonObject): string {
  return linesOf(definition, '').join('\n');
}

function linesOf(object: JsonObject, indent: string): string[] {
  return Object.entries(object)
    .sort(([a], [b]) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))
    .flatMap(([name, value]) => field(name, value, indent));
}

function placeOf(name: string): number {
  return FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;
}

function field(name: string, value: Json, indent: string): string[] {
  const inner = `${indent}  `;
  if (typeof value === 'string' && value.includes('\n')) return [`${indent}${name}:`, ...value.split('\n').map((line) => inner + line)];
  if (isObject(value) && Object.keys(value).length > 0) return [`${indent}${name}:`, ...linesOf(value, inner)];
  if (Array.isArray(value) && value.length > 0) return [`${indent}${name}:`, ...value.flatMap((entry) => item(entry, inner))];
  return [`${indent}${name}: ${plain(value)}`];
}

function item(value: Json, indent: string): string[] {
  if (!isObject(value)) return [`${indent}- ${plain(value)}`];
  const [first = '', ...rest] = linesOf(value, `${indent}  `);
  return [`${indent}- ${first.trimStart()}`, ...rest];
}

function plain(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
