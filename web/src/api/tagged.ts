/** An object with the ETag it was read as, for `If-Match`: a change of anything else is refused with 412. */
export interface Tagged<T> {
  value: T;
  etag: string;
}

/** What a call answered, with its ETag. Throws an `ApiError`. */
export async function tagged<T>(call: Promise<{ data?: T; response: Response }>): Promise<Tagged<T>> {
  const { data, response } = await call;
  return { value: data as T, etag: response.headers.get('ETag') ?? '*' };
}
