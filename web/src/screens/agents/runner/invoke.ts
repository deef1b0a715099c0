import type { Schemas } from '~/api/client';
import { ApiError, errorOf, networkError } from '~/api/errors';
import type { Execution } from '~/screens/executions/executions';

/** A span that has ended, without its contents. */
export interface SpanEnded {
  span_id: string;
  parent_id: string | null;
  name: string;
  operation: unknown;
  start_ns: number;
  end_ns: number;
  error: string | null;
  /** Of a workflow's step: whether it was left out, or ended with a question to a person. */
  skipped?: boolean;
  waiting?: boolean;
}

interface Options {
  signal: AbortSignal;
  onSpan: (span: SpanEnded) => void;
}

/**
 * Puts an input to a target and tells of each span as it ends. Returns the execution; a target that fails is one too.
 * Throws an `ApiError` where it was refused or could not be kept, and an `AbortError` once it was stopped.
 */
export async function invoke(targetId: string, body: Schemas['Invoke'], { signal, onSpan }: Options): Promise<Execution> {
  const response = await fetch(
    new Request(new URL(`/api/targets/${targetId}/invoke?stream=1`, window.location.origin), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      credentials: 'same-origin',
      body: JSON.stringify(body),
      signal,
    }),
  ).catch((error: unknown) => {
    throw networkError(error);
  });
  if (!response.ok) throw await errorOf(response);
  try {
    for await (const event of serverEvents(response)) {
      if (event.name === 'span') onSpan(JSON.parse(event.data) as SpanEnded);
      if (event.name === 'execution') return JSON.parse(event.data) as Execution;
      if (event.name === 'error') throw problemOf(event.data);
    }
  } catch (error) {
    throw error instanceof ApiError ? error : networkError(error);
  }
  throw networkError(new Error('the stream ended before the answer came'));
}

function problemOf(data: string): ApiError {
  const { status = 500, code = 'unknown', title = '', detail = '', errors } = JSON.parse(data) as Partial<ApiError>;
  return new ApiError(status, code, title, detail, errors ?? []);
}

interface ServerEvent {
  name: string;
  data: string;
}

/** The server-sent events of an answer; comments are left out. `EventSource` can only ask with GET. */
async function* serverEvents(response: Response): AsyncGenerator<ServerEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read()) {
    const blocks = (rest + chunk.value).split('\n\n');
    rest = blocks.pop() ?? '';
    yield* blocks.map(eventOf).filter((event) => event.data !== '');
  }
}

function eventOf(block: string): ServerEvent {
  const lines = block.split('\n');
  const value = (field: string) => lines.filter((line) => line.startsWith(`${field}: `)).map((line) => line.slice(field.length + 2)).join('\n');
  return { name: value('event'), data: value('data') };
}
