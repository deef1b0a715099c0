import { expect, test, vi } from 'vitest';

import { ApiError } from '~/api/errors';
import { invoke, type SpanEnded } from '~/screens/agents/runner/invoke';

/** Answers with a stream that comes in these pieces. */
function stream(...pieces: string[]) {
  const bytes = new TextEncoder();
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(bytes.encode(piece));
      controller.close();
    },
  });
  const fetch = vi.fn<(request: Request) => Promise<Response>>(async () => new Response(body));
  vi.stubGlobal('fetch', fetch);
  return fetch;
}

async function run() {
  const spans: string[] = [];
  const execution = await invoke('t1', { input: 'Hello', source: 'runner' }, { signal: new AbortController().signal, onSpan: ({ name }: SpanEnded) => spans.push(name) });
  return { spans, execution };
}

test('tells of spans as they end, and gives the execution; pieces may end anywhere', async () => {
  const fetch = stream(': still here\n\nevent: span\nda', 'ta: {"name":"chat é"}\n', '\nevent: span\ndata: {"name":"tool"}\n\nevent: execution\ndata: {"id":"e1"}\n\n');
  const { spans, execution } = await run();
  expect(spans).toEqual(['chat é', 'tool']);
  expect(execution.id).toBe('e1');
  const request = fetch.mock.calls[0]?.[0];
  expect(request?.method).toBe('POST');
  expect(await request?.json()).toEqual({ input: 'Hello', source: 'runner' });
});

test('what kept it from being stored is an error of the API', async () => {
  stream('event: error\ndata: {"status":503,"code":"store","title":"Away","detail":"the database is away"}\n\n');
  await expect(run()).rejects.toMatchObject({ status: 503, detail: 'the database is away' });
});

test('a stream that breaks off is no answer', async () => {
  stream('event: span\ndata: {"name":"chat"}\n\n');
  await expect(run()).rejects.toMatchObject({ status: 0 });
});

test('a refusal is told by its problem', async () => {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ status: 422, code: 'invalid', title: 'Invalid', detail: 'no input', errors: [] }), { status: 422 }));
  const refused = run();
  await expect(refused).rejects.toBeInstanceOf(ApiError);
  await expect(refused).rejects.toMatchObject({ status: 422 });
});
