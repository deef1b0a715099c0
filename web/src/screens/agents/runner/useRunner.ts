import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';

import type { Schemas } from '~/api/client';
import type { Execution } from '~/screens/executions/executions';
import { invoke, type SpanEnded } from '~/screens/agents/runner/invoke';

const MOST_KEPT = 30;

export interface Runner {
  run: (body: Omit<Schemas['Invoke'], 'source'>) => void;
  stop: () => void;
  running: boolean;
  /** When the one that goes on began, in milliseconds. */
  since: number;
  /** The spans that have ended so far. */
  spans: SpanEnded[];
  stopped: boolean;
  error: Error | null;
  /** The executions of this session, the last one first. */
  history: Execution[];
}

/** Runs a target by hand. Leaving the page stops what goes on; what was run stays listed until the page is closed. */
export function useRunner(targetId: string): Runner {
  const queries = useQueryClient();
  const [spans, setSpans] = useState<SpanEnded[]>([]);
  const [since, setSince] = useState(0);
  const abort = useRef<AbortController>(undefined);
  const historyKey = ['runner', targetId];
  const history = useQuery({ queryKey: historyKey, queryFn: (): Execution[] => [], initialData: [], staleTime: Infinity, gcTime: Infinity });
  useEffect(() => () => abort.current?.abort(), [targetId]);
  const mutation = useMutation({
    mutationFn: (body: Schemas['Invoke']) => {
      abort.current = new AbortController();
      return invoke(targetId, body, { signal: abort.current.signal, onSpan: (span) => setSpans((before) => [...before, span]) });
    },
    onMutate: () => {
      setSpans([]);
      setSince(Date.now());
    },
    onSuccess: (execution) => queries.setQueryData(historyKey, (before: Execution[] = []) => [execution, ...before].slice(0, MOST_KEPT)),
    onSettled: () => queries.invalidateQueries({ queryKey: ['executions', 'list'] }),
  });
  const stopped = mutation.error?.name === 'AbortError';
  return {
    run: (body) => mutation.mutate({ ...body, source: 'runner' }),
    stop: () => abort.current?.abort(),
    running: mutation.isPending,
    since,
    spans,
    stopped,
    error: stopped ? null : mutation.error,
    history: history.data,
  };
}
