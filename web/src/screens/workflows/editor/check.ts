import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';

import { answer, api, type Schemas } from '~/api/client';
import { ApiError, type FieldFault } from '~/api/errors';
import type { LineFault } from '~/screens/workflows/editor/codeEditorProps';
import { readSource, type Source } from '~/screens/workflows/editor/source';

const WAIT_MS = 400;

/** What the server says of a text: the definition as far as it could be read, and what is wrong with it. */
export type Check = Schemas['DefinitionCheck'];

/** A fault with the step that it lies in, where it lies in one. */
export interface StepFault extends LineFault {
  step: string | null;
}

export const checkQuery = (text: string) =>
  queryOptions({
    queryKey: ['workflow-check', text],
    queryFn: ({ signal }) => answer(api.POST('/api/target-kinds/{kind}/check', { params: { path: { kind: 'workflow' } }, body: { text }, signal })),
    staleTime: Infinity,
    gcTime: 60_000,
  });

export interface Checked {
  /** What the text says, or the last text that could be read. */
  source: Source | null;
  faults: StepFault[];
  /** Whether `faults` are those of an earlier text. */
  checking: boolean;
  error: Error | null;
}

const NONE: StepFault[] = [];

/** Checks a text while somebody writes it: once the writing pauses. `told`: what the server said when it was saved. */
export function useWorkflowCheck(text: string, told: readonly FieldFault[]): Checked {
  const [settled] = useDebouncedValue(text, WAIT_MS);
  const query = useQuery({ ...checkQuery(settled), placeholderData: keepPreviousData });
  const read = useMemo(() => readSource(settled), [settled]);
  const [source, setSource] = useState(read);
  if (read && read !== source) setSource(read);
  const { data } = query;
  const faults = useMemo(() => (told.length > 0 ? placed(told, source) : data ? placed(data.faults, source) : NONE), [told, data, source]);
  return { source, faults, checking: settled !== text || query.isFetching || query.isPlaceholderData, error: query.error };
}

/** Faults at their lines, in the order of the text. */
function placed(faults: readonly (FieldFault & { line?: number | null })[], source: Source | null): StepFault[] {
  const found = faults.map(({ line, pointer, detail }) => ({ line: line ?? source?.lineOf(pointer) ?? null, detail, step: source?.stepAt(pointer) ?? null }));
  return found.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
}

/** The server's faults of a definition that was sent, their pointers from its root. */
export function definitionFaults(error: unknown): FieldFault[] {
  if (!(error instanceof ApiError)) return [];
  return error.errors.filter(({ pointer }) => /^#?\/definition(\/|$)/.test(pointer)).map(({ pointer, detail }) => ({ pointer: pointer.replace(/^#?\/definition/, ''), detail }));
}
