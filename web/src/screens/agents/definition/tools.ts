import type { Json, JsonObject } from '~/ui/schema-form/schema';
import { isObject } from '~/ui/schema-form/values';

/** A tool of an agent: by its name, or with options. */
export type ToolEntry = Json;

/** The name of a tool's kind. */
export function toolKind(entry: ToolEntry): string {
  if (typeof entry === 'string') return entry;
  return isObject(entry) && typeof entry.kind === 'string' ? entry.kind : '';
}

/** The options of a tool, without its kind. */
export function toolOptions(entry: ToolEntry): JsonObject {
  if (!isObject(entry)) return {};
  const { kind: _, ...options } = entry;
  return options;
}

/** A tool with options; by its name alone where there are none. */
export function withOptions(kind: string, options: JsonObject): ToolEntry {
  return Object.keys(options).length > 0 ? { kind, ...options } : kind;
}
