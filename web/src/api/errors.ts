/** One field that does not fit: a JSON pointer into the body that was sent, and what is wrong. */
export interface FieldFault {
  pointer: string;
  detail: string;
}

/** What the server answered instead of success: an RFC 9457 problem. `status` 0: no answer came at all. */
export class ApiError extends Error {
  override name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    readonly title: string,
    readonly detail: string,
    readonly errors: FieldFault[] = [],
    /** All that the problem says, with the members of its kind. */
    readonly problem: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail || title);
  }

  /** Whether asking again may help: the network or the server failed, not the request. */
  get transient(): boolean {
    return this.status === 0 || this.status >= 500;
  }
}

/** The error that an answer without success tells of. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  const problem = typeof body === 'object' && body !== null ? (body as Partial<ApiError> & Record<string, unknown>) : {};
  return new ApiError(
    response.status,
    problem.code ?? 'unknown',
    problem.title ?? response.statusText,
    problem.detail ?? '',
    problem.errors ?? [],
    problem,
  );
}

/** The error of a request that got no answer. An abort stays what it is, so that it is not taken for a failure. */
export function networkError(error: unknown): Error {
  if (error instanceof DOMException && error.name === 'AbortError') return error;
  return new ApiError(0, 'network', 'No answer', '');
}
