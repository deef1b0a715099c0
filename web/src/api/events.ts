import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';

import type { Schemas } from '~/api/client';
import { keys } from '~/api/keys';

const POLL_MS = 3000;
/** Failures in a row after which the stream is given up for a while. A browser reconnects by itself before that. */
const MOST_FAILURES = 3;
const RETRY_STREAM_MS = 30_000;
/** Results come in bunches; the screen hears of them this often. */
const BUNCH_MS = 250;

/** What the `progress` event tells: how far a run is, and the rate of what is committed so far. */
export interface LiveFigures {
  progress: Schemas['Progress'];
  rate: number | null;
  interval: Schemas['Interval'];
}

/** What the `result` event tells of a result that was committed. */
export interface ResultEvent {
  seq: number;
  case_id: string;
  case_key: string;
  trial: number;
  verdict: Schemas['Verdict'];
  score: number | null;
  disagreed: boolean;
  latency: number;
  tokens: number | null;
  cost: number | null;
  error_type: string | null;
  carried_over: boolean;
}

export interface RunFeed {
  /** The latest figures; null before the first ones, and while polling: the run itself has them then. */
  figures: LiveFigures | null;
  source: 'stream' | 'polling' | 'none';
}

interface Options {
  /** Whether the run is still going on; nothing is asked otherwise. */
  active: boolean;
  /** Results were committed since the last call: their events, or none while polling. */
  onResults?: (results: ResultEvent[]) => void;
}

/**
 * Follows a run by server-sent events; polls it every 3 s where the stream fails. The run itself is asked again when
 * it is done, and with every poll, so `active` follows from its status.
 */
export function useRunEvents(runId: string, { active, onResults }: Options): RunFeed {
  const queries = useQueryClient();
  const [feed, setFeed] = useState<RunFeed>({ figures: null, source: 'none' });
  const refresh = useEffectEvent(() => void queries.invalidateQueries({ queryKey: keys.run(runId), exact: true }));
  const tell = useEffectEvent((results: ResultEvent[]) => onResults?.(results));
  useEffect(() => {
    if (!active) return;
    const stop = follow(`/api/eval/runs/${runId}/events`, {
      onFigures: (figures) => setFeed({ figures, source: 'stream' }),
      onResults: tell,
      onDone: refresh,
      onPoll: () => {
        setFeed({ figures: null, source: 'polling' });
        refresh();
        tell([]);
      },
    });
    return () => {
      stop();
      setFeed((last) => ({ ...last, source: 'none' }));
    };
  }, [runId, active]);
  return feed;
}

interface Listener {
  onFigures: (figures: LiveFigures) => void;
  onResults: (results: ResultEvent[]) => void;
  onDone: () => void;
  onPoll: () => void;
}

/** Follows a stream until it is done or stopped, polling while it fails. Returns how to stop it. */
export function follow(url: string, listener: Listener): () => void {
  let stream: EventSource | undefined;
  let poller: ReturnType<typeof setInterval> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let waiting: ResultEvent[] = [];
  let lastId = '';

  const flush = () => {
    if (waiting.length > 0) listener.onResults(waiting);
    waiting = [];
  };
  const bunches = setInterval(flush, BUNCH_MS);
  const stop = () => {
    stream?.close();
    [bunches, poller, retry].forEach(clearTimeout);
  };
  const giveUpForNow = () => {
    stream?.close();
    retry = setTimeout(listen, RETRY_STREAM_MS);
    if (poller !== undefined) return;
    listener.onPoll();
    poller = setInterval(listener.onPoll, POLL_MS);
  };
  const listen = () => {
    failures = 0;
    // A browser that reconnects by itself says where it was; a new stream is told.
    stream = new EventSource(lastId ? `${url}?last_event_id=${lastId}` : url);
    stream.addEventListener('open', () => {
      failures = 0;
      clearInterval(poller);
      poller = undefined;
    });
    stream.addEventListener('progress', (event) => listener.onFigures(JSON.parse(event.data) as LiveFigures));
    stream.addEventListener('result', (event) => {
      lastId = event.lastEventId;
      waiting.push(JSON.parse(event.data) as ResultEvent);
    });
    stream.addEventListener('done', () => {
      stop();
      flush();
      listener.onDone();
    });
    stream.addEventListener('error', () => {
      failures += 1;
      if (failures >= MOST_FAILURES || stream?.readyState === EventSource.CLOSED) giveUpForNow();
    });
  };
  listen();
  return stop;
}
