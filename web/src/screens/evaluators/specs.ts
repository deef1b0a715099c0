import type { Schemas } from '~/api/client';
import { ApiError } from '~/api/errors';
import type { JsonObject } from '~/ui/schema-form/schema';

/** An evaluator as a dataset or a case holds it. */
export type Binding = Schemas['Binding-Output'];

/** The name of a spec's kind. */
export function kindOf(spec: Binding['spec']): string {
  return typeof spec.kind === 'string' ? spec.kind : '';
}

/** A spec without its kind: what the kind's form shows. */
export function fieldsOf(spec: Binding['spec']): JsonObject {
  const { kind: _, ...fields } = spec as JsonObject;
  return fields;
}

/**
 * An error with its pointers taken from a part of what was sent: `/3/spec/text` under `/3/spec` is `/text`. Its text is
 * for people, without the pointers.
 */
export function within(error: unknown, prefix: string): unknown {
  if (!(error instanceof ApiError)) return error;
  const errors = error.errors.map((fault) => (fault.pointer.startsWith(prefix) ? { ...fault, pointer: fault.pointer.slice(prefix.length) } : fault));
  const detail = errors.length > 0 ? errors.map((fault) => fault.detail).join(' ') : error.detail;
  return new ApiError(error.status, error.code, error.title, detail, errors);
}
