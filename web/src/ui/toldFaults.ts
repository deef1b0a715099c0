import { ApiError } from '~/api/errors';

/** What the server said of the plain fields of a body: `toldFaults(error).name`. */
export function toldFaults(error: unknown): Readonly<Record<string, string | undefined>> {
  if (!(error instanceof ApiError)) return {};
  return Object.fromEntries(error.errors.map(({ pointer, detail }) => [pointer.replace(/^#?\//, ''), detail]));
}
