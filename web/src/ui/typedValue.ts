import type { Json } from '~/ui/schema-form/schema';

/** What somebody typed, and how to take it: as they said, or `auto` where objects and lists are JSON and all else text. */
export interface Typed {
  text: string;
  as: 'auto' | 'text' | 'json';
}

export type TypedReading = { kind: 'none' } | { kind: 'text'; value: string } | { kind: 'json'; value: Json } | { kind: 'fault'; reason: string };

export const NOTHING_TYPED: Typed = { text: '', as: 'auto' };

/** The value of what was typed. */
export function readTyped({ text, as }: Typed): TypedReading {
  if (text.trim() === '') return { kind: 'none' };
  if (as === 'text' || (as === 'auto' && !/^\s*[[{]/.test(text))) return { kind: 'text', value: text };
  try {
    return { kind: 'json', value: JSON.parse(text) as Json };
  } catch (error) {
    return as === 'auto' ? { kind: 'text', value: text } : { kind: 'fault', reason: error instanceof Error ? error.message : String(error) };
  }
}

/** What to show for a value, so that reading it again gives the same. */
export function typedOf(value: Json | undefined): Typed {
  if (value === null || value === undefined) return NOTHING_TYPED;
  if (typeof value === 'string') return { text: value, as: readTyped({ text: value, as: 'auto' }).kind === 'json' ? 'text' : 'auto' };
  const container = typeof value === 'object';
  return { text: JSON.stringify(value, null, 2), as: container ? 'auto' : 'json' };
}

/** Whether a text is JSON, so that it may be offered to be read so. */
export function isJson(text: string): boolean {
  return readTyped({ text, as: 'json' }).kind === 'json';
}
