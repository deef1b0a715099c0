import type { Ref } from 'react';

/** What is wrong with a text, and in which line; null for the whole. */
export interface LineFault {
  line: number | null;
  detail: string;
}

export interface CodeEditorHandle {
  /** Goes to lines, from 1, and selects them. */
  goTo: (from: number, to?: number) => void;
}

export interface CodeEditorProps {
  value: string;
  onChange: (text: string) => void;
  faults: readonly LineFault[];
  /** What is written, for screen readers. */
  label: string;
  /** The id of what explains it. */
  describedBy?: string;
  ref?: Ref<CodeEditorHandle>;
}
