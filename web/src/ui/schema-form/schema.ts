/** Reads the JSON schemas that pydantic writes, as far as a form needs them. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  title?: string;
  description?: string;
  default?: Json;
  enum?: Json[];
  const?: Json;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  propertyNames?: JsonSchema;
  /** Values that are offered; others may be given too. */
  examples?: Json[];
  items?: JsonSchema;
  minItems?: number;
  format?: string;
  writeOnly?: boolean;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

export type Shape =
  | { kind: 'text'; multiline: boolean; secret: boolean; minLength: number; maxLength: number; pattern?: string; offered: string[] }
  | { kind: 'number'; whole: boolean; min?: number; max?: number; above?: number; below?: number }
  | { kind: 'boolean' }
  | { kind: 'choice'; options: Json[] }
  | { kind: 'choices'; options: Json[] }
  | { kind: 'list'; item: () => Field; least: number }
  | { kind: 'map'; value: () => Field; offered: string[] }
  | { kind: 'object'; fields: () => Field[] }
  | { kind: 'union'; variants: Field[] }
  | { kind: 'fixed'; value: Json }
  /** Free JSON; `object`: only objects fit. */
  | { kind: 'json'; object: boolean };

export type ShapeOf<K extends Shape['kind']> = Extract<Shape, { kind: K }>;

/** One field of a form. Nested fields are read when they are drawn, so a schema may refer to itself. */
export interface Field {
  name: string;
  /** What the schema itself calls it; see `useWords` for what the reader sees. */
  title: string;
  help: string;
  required: boolean;
  nullable: boolean;
  /** What counts while nothing is given. */
  fallback?: Json;
  /** An example that the schema gives. */
  example?: Json;
  shape: Shape;
}

const LONG = 200;
const LONG_NAMES = /(^|_)(instructions|prompt|rubric|criteria|description|body|text|notes?|system|message|behaviou?r|reason)$/;
const LONG_FORMATS = ['textarea', 'multiline', 'markdown'];

/** The form of a whole schema. */
export function readSchema(schema: JsonSchema): Field {
  return readField(schema, schema, '', true);
}

function readField(schema: JsonSchema, root: JsonSchema, name: string, required: boolean): Field {
  const { plain, nullable } = withoutNull(resolve(schema, root), root);
  const fallback = schema.default ?? plain.default;
  return {
    name,
    title: sentence(schema.title ?? name),
    help: schema.description ?? plain.description ?? '',
    required,
    nullable,
    ...(fallback !== undefined && { fallback }),
    ...(plain.examples?.[0] !== undefined && { example: plain.examples[0] }),
    shape: shapeOf(plain, root, name),
  };
}

/** What a reference stands for; what stands beside the reference goes before. */
function resolve(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const only = schema.allOf?.length === 1 ? schema.allOf[0] : undefined;
  if (only) return resolve({ ...only, ...schema, allOf: undefined }, root);
  if (!schema.$ref) return schema;
  const { $ref, ...beside } = schema;
  const target = root.$defs?.[$ref.replace(/^#\/\$defs\//, '')] ?? {};
  return resolve({ ...target, ...beside }, root);
}

/** `anyOf: [X, null]` is an X that may be null. */
function withoutNull(schema: JsonSchema, root: JsonSchema): { plain: JsonSchema; nullable: boolean } {
  const all = schema.anyOf ?? schema.oneOf;
  if (all) {
    const rest = all.filter((variant) => variant.type !== 'null');
    const nullable = rest.length < all.length;
    const [only] = rest;
    if (rest.length !== 1 || !only) return { plain: { ...schema, anyOf: rest, oneOf: undefined }, nullable };
    const { anyOf: _, oneOf: __, ...beside } = schema;
    return { plain: resolve({ ...only, ...beside }, root), nullable };
  }
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    const types = schema.type.filter((type) => type !== 'null');
    return { plain: { ...schema, type: types.length === 1 ? types[0] : types }, nullable: true };
  }
  return { plain: schema, nullable: false };
}

function shapeOf(schema: JsonSchema, root: JsonSchema, name: string): Shape {
  if (schema.const !== undefined) return { kind: 'fixed', value: schema.const };
  if (schema.enum) return { kind: 'choice', options: schema.enum };
  if (schema.anyOf?.length) return { kind: 'union', variants: schema.anyOf.map((variant) => readVariant(variant, root, name)) };
  switch (schema.type) {
    case 'string':
      return text(schema, name);
    case 'number':
    case 'integer':
      return number(schema);
    case 'boolean':
      return { kind: 'boolean' };
    case 'array':
      return list(schema, root, name);
    case 'object':
      return objectOrMap(schema, root);
    default:
      return { kind: 'json', object: false };
  }
}

/** A variant is named after the model that it refers to, or else after its type. */
function readVariant(schema: JsonSchema, root: JsonSchema, name: string): Field {
  const field = readField(schema, root, name, true);
  const { title, type } = resolve(schema, root);
  return { ...field, title: title ? sentence(title) : typeof type === 'string' ? type : 'json' };
}

function text(schema: JsonSchema, name: string): Shape {
  const { format = '', minLength = 0, maxLength = Infinity, pattern } = schema;
  const secret = format === 'password' || schema.writeOnly === true;
  const long = LONG_NAMES.test(name) || (maxLength > LONG && maxLength < Infinity) || String(schema.default ?? '').includes('\n');
  const multiline = !secret && (LONG_FORMATS.includes(format) || long);
  return { kind: 'text', multiline, secret, minLength, maxLength, ...(pattern !== undefined && { pattern }), offered: textsOf(schema.examples) };
}

function textsOf(examples: Json[] = []): string[] {
  return examples.filter((example) => typeof example === 'string');
}

function number(schema: JsonSchema): Shape {
  return {
    kind: 'number',
    whole: schema.type === 'integer',
    ...(schema.minimum !== undefined && { min: schema.minimum }),
    ...(schema.maximum !== undefined && { max: schema.maximum }),
    ...(schema.exclusiveMinimum !== undefined && { above: schema.exclusiveMinimum }),
    ...(schema.exclusiveMaximum !== undefined && { below: schema.exclusiveMaximum }),
  };
}

function list(schema: JsonSchema, root: JsonSchema, name: string): Shape {
  const items = schema.items ?? {};
  const options = resolve(items, root).enum;
  if (options) return { kind: 'choices', options };
  return { kind: 'list', item: () => readField(items, root, name, true), least: schema.minItems ?? 0 };
}

function objectOrMap(schema: JsonSchema, root: JsonSchema): Shape {
  if (schema.properties) return { kind: 'object', fields: () => fieldsOf(schema, root) };
  const values = schema.additionalProperties;
  if (typeof values !== 'object') return { kind: 'json', object: true };
  const value = readField(values, root, '', true);
  return value.shape.kind === 'json' ? { kind: 'json', object: true } : { kind: 'map', value: () => value, offered: textsOf(schema.propertyNames?.examples) };
}

/** What must be given comes first. */
function fieldsOf(schema: JsonSchema, root: JsonSchema): Field[] {
  const needed = schema.required ?? [];
  const fields = Object.entries(schema.properties ?? {}).map(([name, property]) => readField(property, root, name, needed.includes(name)));
  return [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)];
}

const CAPITALS: Record<string, string> = { api: 'API', url: 'URL', json: 'JSON', mcp: 'MCP', id: 'ID', http: 'HTTP', llm: 'LLM' };

/** "Target Path", "target_path", "TargetPath" -> "Target path". */
export function sentence(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[\s_]+/)
    .map((word) => CAPITALS[word.toLowerCase()] ?? word.toLowerCase());
  const joined = words.join(' ');
  return joined.charAt(0).toUpperCase() + joined.slice(1);
}
