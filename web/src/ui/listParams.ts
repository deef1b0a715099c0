import { useSearchParams } from 'react-router';

export const PAGE_SIZE = 20;

export interface ListParams {
  page: number;
  size: number;
  /** What was searched for; empty for nothing. */
  q: string;
  /** The value of a filter; null when it is not set. */
  filter: (name: string) => string | null;
  setPage: (page: number) => void;
  setQ: (q: string) => void;
  setFilter: (name: string, value: string | null) => void;
  /** Several at once; one after the other would lose all but the last. */
  setFilters: (values: Record<string, string | null>) => void;
}

/**
 * Page, search and filters of a list. They live in the address, so that a view can be shared and the back button works.
 * A new search or filter begins at the first page.
 */
export function useListParams(size: number = PAGE_SIZE): ListParams {
  const [address, setAddress] = useSearchParams();
  const change = (changes: Record<string, string | null>) =>
    setAddress(
      (old) => {
        const next = new URLSearchParams(old);
        for (const [name, value] of Object.entries(changes)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { preventScrollReset: true },
    );
  return {
    page: Math.max(1, Math.floor(Number(address.get('page'))) || 1),
    size,
    q: address.get('q') ?? '',
    filter: (name) => address.get(name),
    setPage: (page) => change({ page: page > 1 ? String(page) : null }),
    setQ: (q) => change({ q, page: null }),
    setFilter: (name, value) => change({ [name]: value, page: null }),
    setFilters: (values) => change({ ...values, page: null }),
  };
}
