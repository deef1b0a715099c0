import { ApiError } from '~/api/errors';

/** What the server said at any of these pointers, or below them. */
export function faultsOf(error: Error | null): (...pointers: string[]) => string | undefined {
  const faults = error instanceof ApiError ? error.errors : [];
  return (...pointers) => {
    const found = faults.filter(({ pointer }) => pointers.some((wanted) => pointer === wanted || pointer.startsWith(`${wanted}/`)));
    return found.length > 0 ? found.map(({ detail }) => detail).join(' ') : undefined;
  };
}
