import type { ResultFilter } from '~/screens/runs/runQueries';

interface Place extends ResultFilter {
  /** Where it stands in the list under this filter, counted from 0; the neighbours are found by it. */
  at?: number;
}

/** The address of a result's page. */
export function resultAddress(runId: string, { case_id, trial }: { case_id: string; trial: number }, { verdict, q, at }: Place = {}): string {
  const params = new URLSearchParams();
  if (trial > 0) params.set('trial', String(trial));
  if (verdict) params.set('verdict', verdict);
  if (q) params.set('q', q);
  if (at !== undefined) params.set('at', String(at));
  const search = params.toString();
  return `/runs/${runId}/results/${encodeURIComponent(case_id)}${search ? `?${search}` : ''}`;
}
