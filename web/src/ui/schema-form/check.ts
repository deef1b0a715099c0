import type { Field, Json, Shape, ShapeOf } from '~/ui/schema-form/schema';
import { fits, isObject, pointerOf } from '~/ui/schema-form/values';

/** What is wrong with a field, as a message key of `ui:form` and its values. */
export type Fault =
  | { key: 'required' | 'notWhole' | 'notANumber' }
  | { key: 'tooSmall' | 'tooSmallOrEqual' | 'tooBig' | 'tooBigOrEqual' | 'tooShort' | 'tooLong'; limit: number }
  | { key: 'tooFew'; count: number }
  | { key: 'doesNotMatch'; pattern: string };

type Path = readonly (string | number)[];
type Found = [pointer: string, fault: Fault];

/** The plain faults of a value, by JSON pointer. The server has the last word; this spares the way there. */
export function check(field: Field, value: Json | undefined, path: Path = []): Map<string, Fault> {
  return new Map(faultsOf(field, value, path));
}

function faultsOf(field: Field, value: Json | undefined, path: Path): Found[] {
  const missing = value === undefined || (value === null && !field.nullable && field.shape.kind !== 'json');
  if (missing && field.required && field.shape.kind === 'object') return inside(field.shape, {}, path);
  if (missing) return field.required && !givesItself(field) ? [[pointerOf(path), { key: 'required' }]] : [];
  if (value === null) return [];
  const own = faultOf(field, value);
  return own ? [[pointerOf(path), own]] : inside(field.shape, value, path);
}

/** A switch that nobody touched is off, and a fixed value is fixed. */
function givesItself({ shape, fallback }: Field): boolean {
  return shape.kind === 'fixed' || shape.kind === 'boolean' || fallback !== undefined;
}

function faultOf({ shape, required }: Field, value: Json): Fault | undefined {
  if (shape.kind === 'text' && typeof value === 'string') return textFault(shape, value, required);
  if (shape.kind === 'number') return typeof value === 'number' ? numberFault(shape, value) : { key: 'notANumber' };
  if (shape.kind === 'list' && Array.isArray(value) && value.length < shape.least) return { key: 'tooFew', count: shape.least };
  return undefined;
}

function textFault(shape: ShapeOf<'text'>, value: string, required: boolean): Fault | undefined {
  if (value === '' && required && shape.minLength > 0) return { key: 'required' };
  if (value.length < shape.minLength) return { key: 'tooShort', limit: shape.minLength };
  if (value.length > shape.maxLength) return { key: 'tooLong', limit: shape.maxLength };
  if (shape.pattern && !matches(shape.pattern, value)) return { key: 'doesNotMatch', pattern: shape.pattern };
  return undefined;
}

/** A pattern that this browser cannot read is left to the server. */
function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}

function numberFault({ whole, min, max, above, below }: ShapeOf<'number'>, value: number): Fault | undefined {
  if (whole && !Number.isInteger(value)) return { key: 'notWhole' };
  if (min !== undefined && value < min) return { key: 'tooSmall', limit: min };
  if (max !== undefined && value > max) return { key: 'tooBig', limit: max };
  if (above !== undefined && value <= above) return { key: 'tooSmallOrEqual', limit: above };
  if (below !== undefined && value >= below) return { key: 'tooBigOrEqual', limit: below };
  return undefined;
}

function inside(shape: Shape, value: Json, path: Path): Found[] {
  if (shape.kind === 'object' && isObject(value)) return shape.fields().flatMap((field) => faultsOf(field, value[field.name], [...path, field.name]));
  if (shape.kind === 'list' && Array.isArray(value)) return value.flatMap((item, index) => faultsOf(shape.item(), item, [...path, index]));
  if (shape.kind === 'map' && isObject(value)) return Object.entries(value).flatMap(([key, item]) => faultsOf(shape.value(), item, [...path, key]));
  if (shape.kind === 'union') {
    const variant = shape.variants.find((candidate) => fits(candidate.shape, value));
    return variant ? faultsOf(variant, value, path) : [];
  }
  return [];
}
