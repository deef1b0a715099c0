import type { Json, JsonSchema } from '~/ui/schema-form/schema';
import { isObject } from '~/ui/schema-form/values';

/** One place where a value is not what a schema says. `path`: names and indexes, empty for the whole. */
export interface Misfit {
  path: string;
  what: 'missing' | 'unknown' | 'type' | 'choice';
}

/**
 * Where a value certainly does not fit a JSON schema: its types, its choices, what is required, and what it has no
 * field for. Whatever else a schema may say is left to the server.
 */
export function misfitsOf(schema: JsonSchema, value: Json): Misfit[] {
  return inside(schema, value, schema, '');
}

function inside(given: JsonSchema, value: Json, root: JsonSchema, path: string): Misfit[] {
  const schema = resolved(given, root);
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) {
    const found = variants.map((variant) => inside(variant, value, root, path));
    return found.reduce((least, each) => (each.length < least.length ? each : least), found[0] ?? []);
  }
  if (!isOfType(schema, value)) return [{ path, what: 'type' }];
  const options = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if (options && !options.some((option) => JSON.stringify(option) === JSON.stringify(value))) return [{ path, what: 'choice' }];
  if (isObject(value)) return inObject(schema, value, root, path);
  const { items } = schema;
  return Array.isArray(value) && items ? value.flatMap((item, index) => inside(items, item, root, `${path}[${index}]`)) : [];
}

function inObject(schema: JsonSchema, value: Record<string, Json>, root: JsonSchema, path: string): Misfit[] {
  const properties = schema.properties ?? {};
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const missing = (schema.required ?? []).filter((name) => !(name in value)).map((name): Misfit => ({ path: at(name), what: 'missing' }));
  const closed = schema.properties !== undefined && typeof schema.additionalProperties !== 'object' && schema.additionalProperties !== true;
  const unknown = closed ? Object.keys(value).filter((name) => !(name in properties)).map((name): Misfit => ({ path: at(name), what: 'unknown' })) : [];
  const wrong = Object.entries(value).flatMap(([name, part]) => {
    const own = properties[name];
    return own ? inside(own, part, root, at(name)) : [];
  });
  return [...missing, ...unknown, ...wrong];
}

const DEEPEST = 20;

function resolved(schema: JsonSchema, root: JsonSchema, depth = 0): JsonSchema {
  const name = /^#\/\$defs\/(.+)$/.exec(schema.$ref ?? '')?.[1];
  const target = name === undefined ? undefined : root.$defs?.[name];
  return target && depth < DEEPEST ? resolved(target, root, depth + 1) : schema;
}

function isOfType({ type }: JsonSchema, value: Json): boolean {
  if (type === undefined) return true;
  return (Array.isArray(type) ? type : [type]).some((name) => {
    if (name === 'null') return value === null;
    if (name === 'array') return Array.isArray(value);
    if (name === 'object') return isObject(value);
    if (name === 'integer') return Number.isInteger(value);
    return typeof value === name;
  });
}
