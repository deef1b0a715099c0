import { vi } from 'vitest';

type Answer = { status?: number; body?: unknown };

/** Answers what the page asks of the server: `"GET /api/auth/me"` -> what to answer. Returns the requests that came. */
export function serve(answers: Record<string, Answer | ((request: Request) => Answer)>): Request[] {
  const seen: Request[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    seen.push(request.clone());
    const answer = answers[`${request.method} ${new URL(request.url).pathname}`] ?? { status: 404, body: { status: 404, code: 'not_found', title: 'Not Found', detail: 'no such path', errors: null } };
    const { status = 200, body } = typeof answer === 'function' ? answer(request) : answer;
    return new Response(body === undefined ? null : JSON.stringify(body), { status });
  });
  return seen;
}
