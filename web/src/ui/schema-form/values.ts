import type { Field, Json, JsonObject, Shape } from '~/ui/schema-form/schema';

/** A JSON pointer (RFC 6901) of the names and indexes on the way to a field. */
export function pointerOf(path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a cleared field holds: nothing, or null where leaving it out would mean something else. */
export function cleared(field: Field): Json | undefined {
  const leftOut = !field.required && (field.fallback ?? null) === null;
  return field.nullable && !leftOut ? null : undefined;
}

/** An object with one key changed; `undefined` takes the key out. */
export function withKey(object: JsonObject, key: string, value: Json | undefined): JsonObject {
  if (value !== undefined) return { ...object, [key]: value };
  const { [key]: _, ...rest } = object;
  return rest;
}

/** What a new entry of a list starts with: an example of the schema, but for texts, of which people write their own. */
export function blank(field: Field): Json {
  if (field.fallback !== undefined && field.fallback !== null) return field.fallback;
  const { shape } = field;
  if (field.example !== undefined && shape.kind !== 'text') return field.example;
  switch (shape.kind) {
    case 'text':
      return '';
    case 'boolean':
      return false;
    case 'choice':
      return shape.options[0] ?? null;
    case 'list':
    case 'choices':
      return [];
    case 'object':
      return givenValues(shape.fields());
    case 'map':
      return {};
    case 'fixed':
      return shape.value;
    case 'union':
      return shape.variants[0] ? blank(shape.variants[0]) : null;
    case 'json':
      return shape.object ? {} : null;
    case 'number':
      return null;
  }
}

/** What is fixed, and what an example is given of and must be there. */
function givenValues(fields: Field[]): JsonObject {
  const starts = ({ shape, required, example }: Field) => shape.kind === 'fixed' || (required && example !== undefined && shape.kind !== 'text');
  return Object.fromEntries(fields.filter(starts).map((field) => [field.name, blank(field)]));
}

/** Whether a value could be of this shape, as far as its type tells; which variant of a union it is. */
export function fits(shape: Shape, value: Json): boolean {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' || value === null;
    case 'boolean':
      return typeof value === 'boolean';
    case 'choice':
      return shape.options.includes(value);
    case 'list':
    case 'choices':
      return Array.isArray(value);
    case 'map':
      return isObject(value);
    case 'object':
      return isObject(value) && shape.fields().every(({ name, shape: own }) => own.kind !== 'fixed' || value[name] === own.value);
    case 'fixed':
      return value === shape.value;
    case 'json':
      return !shape.object || isObject(value);
    case 'union':
      return shape.variants.some((variant) => fits(variant.shape, value));
  }
}

/** A value with what must be given and gives itself: a switch that nobody touched is off, a fixed value is fixed. */
export function completed({ shape }: Field, value: JsonObject): JsonObject {
  if (shape.kind !== 'object') return value;
  const own = shape.fields().flatMap((field): [string, Json][] => {
    const given = value[field.name];
    if (isObject(given) && field.shape.kind === 'object') return [[field.name, completed(field, given)]];
    if (given !== undefined || !field.required || field.fallback !== undefined) return [];
    if (field.shape.kind === 'boolean' && !field.nullable) return [[field.name, false]];
    if (field.shape.kind === 'fixed') return [[field.name, field.shape.value]];
    return field.shape.kind === 'object' ? [[field.name, completed(field, {})]] : [];
  });
  return { ...value, ...Object.fromEntries(own) };
}
