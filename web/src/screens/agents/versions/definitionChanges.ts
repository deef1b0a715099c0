import type { Json, JsonObject } from '~/ui/schema-form/schema';
import { isObject } from '~/ui/schema-form/values';

/** One place of a definition that differs. `path`: names of fields; entries of a named list, such as steps, by name. */
export interface FieldChange {
  path: string[];
  what: 'added' | 'removed' | 'changed' | 'moved';
  before?: Json;
  after?: Json;
}

/** Where two definitions differ, in the order of the second one; what is gone stands last. */
export function definitionChanges(before: JsonObject, after: JsonObject): FieldChange[] {
  return changesIn(before, after, []);
}

function changesIn(before: JsonObject, after: JsonObject, path: string[]): FieldChange[] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return names.flatMap((name) => changeOf(before[name], after[name], [...path, name]));
}

function changeOf(before: Json | undefined, after: Json | undefined, path: string[]): FieldChange[] {
  if (before === undefined || after === undefined) return before === after ? [] : [{ path, what: before === undefined ? 'added' : 'removed', before, after }];
  if (isObject(before) && isObject(after)) return changesIn(before, after, path);
  const [old, now] = [byName(before), byName(after)];
  if (old && now) return [...changesIn(old, now, path), ...moved(old, now, path)];
  return canonical(before) === canonical(after) ? [] : [{ path, what: 'changed', before, after }];
}

/** A list whose entries all have names of their own, by these names. */
function byName(value: Json): JsonObject | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const named = value.flatMap((entry) => (isObject(entry) && typeof entry.name === 'string' ? [[entry.name, entry] as const] : []));
  return named.length === value.length && new Set(named.map(([name]) => name)).size === named.length ? Object.fromEntries(named) : null;
}

/** Whether the entries that both have stand in another order. */
function moved(before: JsonObject, after: JsonObject, path: string[]): FieldChange[] {
  const [old, now] = [Object.keys(before).filter((name) => name in after), Object.keys(after).filter((name) => name in before)];
  return old.join('\n') === now.join('\n') ? [] : [{ path, what: 'moved', before: old, after: now }];
}

/** The order of keys is no difference. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_, part: Json) => (isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part));
}
