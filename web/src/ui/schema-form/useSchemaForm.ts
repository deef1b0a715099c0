import { useMemo, useState } from 'react';

import type { FieldFault } from '~/api/errors';
import { check, type Fault } from '~/ui/schema-form/check';
import { type Field, type JsonObject, type JsonSchema, readSchema } from '~/ui/schema-form/schema';

export interface SchemaFormState {
  root: Field;
  /** What was given so far; fields that nobody set are left out. */
  value: JsonObject;
  setValue: (value: JsonObject) => void;
  /** Whether it can be sent; shows what is wrong if not. */
  validate: () => boolean;
  /**
   * Shows the server's faults at their fields. `prefix`: where this form's value stood in the body, such as
   * `/definition`. Returns those of other fields, for the caller to show.
   */
  setServerErrors: (errors: readonly FieldFault[], prefix?: string) => FieldFault[];
  /** Faults to show, by pointer: found here, or told by the server. */
  faults: ReadonlyMap<string, Fault>;
  told: ReadonlyMap<string, string>;
  /** A field holds a text that is no value, such as half a JSON object; null once it is one again. */
  setUnreadable: (pointer: string, text: string | null) => void;
  unreadable: ReadonlyMap<string, string>;
}

const NO_FAULTS: ReadonlyMap<string, Fault> = new Map();

/** The state of a form that a JSON schema describes. A different schema begins a new form: give it a `key`. */
export function useSchemaForm(schema: JsonSchema, initial: JsonObject = {}): SchemaFormState {
  const root = useMemo(() => readSchema(schema), [schema]);
  const [value, setValue] = useState(initial);
  const [tried, setTried] = useState(false);
  const [told, setTold] = useState<ReadonlyMap<string, string>>(new Map());
  const [unreadable, setUnreadable] = useState<ReadonlyMap<string, string>>(new Map());
  const faults = useMemo(() => (tried ? check(root, value) : NO_FAULTS), [tried, root, value]);
  return {
    root,
    value,
    setValue: (next) => {
      setValue(next);
      setTold(new Map());
    },
    validate: () => {
      setTried(true);
      return unreadable.size === 0 && check(root, value).size === 0;
    },
    setServerErrors: (errors, prefix = '') => {
      const mine = errors.filter(({ pointer }) => relative(pointer, prefix) !== null);
      setTold(new Map(mine.map(({ pointer, detail }) => [relative(pointer, prefix) ?? '', detail])));
      return errors.filter((error) => !mine.includes(error));
    },
    faults,
    told,
    setUnreadable: (pointer, text) => setUnreadable((old) => changed(old, pointer, text)),
    unreadable,
  };
}

function relative(pointer: string, prefix: string): string | null {
  const plain = pointer.replace(/^#/, '');
  return plain.startsWith(`${prefix}/`) ? plain.slice(prefix.length) : null;
}

function changed(old: ReadonlyMap<string, string>, pointer: string, text: string | null): ReadonlyMap<string, string> {
  if ((old.get(pointer) ?? null) === text) return old;
  const next = new Map(old);
  if (text === null) next.delete(pointer);
  else next.set(pointer, text);
  return next;
}
