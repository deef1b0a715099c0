import type { Dataset } from '~/screens/datasets/datasets';
import { useTarget } from '~/screens/datasets/TargetSelect';
import type { Json, JsonSchema } from '~/ui/schema-form/schema';
import { isObject } from '~/ui/schema-form/values';

export interface Schemas {
  input: JsonSchema | null;
  output: JsonSchema | null;
}

const UNKNOWN: Schemas = { input: null, output: null };

/** What the active version of a dataset's target takes and answers, as far as its definition says so; null while asked. */
export function useSchemas({ target_id }: Dataset): Schemas | null {
  const target = useTarget(target_id);
  if (target_id === null || target.isError) return UNKNOWN;
  if (!target.data) return null;
  const definition = target.data.active_version?.definition as Json | undefined;
  if (!isObject(definition)) return UNKNOWN;
  return { input: schemaIn(definition.input_schema), output: schemaIn(definition.output_schema) };
}

function schemaIn(value: Json | undefined): JsonSchema | null {
  return isObject(value) ? (value as unknown as JsonSchema) : null;
}
