import { useState } from 'react';

import { type FieldProps, useForm } from '~/ui/schema-form/context';
import type { Json } from '~/ui/schema-form/schema';
import { cleared, pointerOf } from '~/ui/schema-form/values';

/** What a text says: a value, nothing (an empty text), or the reason why it is no value. */
export interface Reading {
  value?: Json;
  reason?: string;
}

interface Options {
  show: (value: Json | undefined) => string;
  read: (text: string) => Reading;
}

/**
 * The text of a value that is typed, such as a number. While the text is no value the value stays what it was, the
 * field says why, and the form cannot be sent.
 */
export function useTypedText({ field, path, value, onChange }: FieldProps, { show, read }: Options) {
  const { form } = useForm();
  const [text, setText] = useState(() => show(value));
  const [last, setLast] = useState(value);
  if (JSON.stringify(value) !== JSON.stringify(last)) {
    // The value was changed from outside, such as by taking out the row above.
    setLast(value);
    setText(show(value));
  }
  const type = (next: string) => {
    setText(next);
    const { value: given, reason } = next.trim() === '' ? {} : read(next);
    form.setUnreadable(pointerOf(path), reason ?? null);
    if (reason !== undefined) return;
    const kept = given === undefined ? cleared(field) : given;
    setLast(kept);
    onChange(kept);
  };
  return { text, type };
}
