import type { Run } from '~/screens/runs/runQueries';

/** A finished run as a mark of the plot. */
export interface RatePoint {
  id: string;
  version: number;
  /** RFC 3339. */
  finished: string;
  passed: number;
  failed: number;
  /** Shares of 0..1. */
  rate: number;
  low: number;
  high: number;
}

/** The runs that came to a rate, oldest first. */
export function ratePoints(runs: readonly Run[]): RatePoint[] {
  return runs
    .flatMap((run) => {
      const { summary, rate, finished_at: finished } = run;
      const [low, high] = run.interval;
      if (summary === null || rate === null || finished === null) return [];
      return [{ id: run.id, version: run.target_version, finished, passed: summary.passed, failed: summary.failed, rate, low, high }];
    })
    .sort((a, b) => (a.finished < b.finished ? -1 : 1));
}

/** The datasets of runs, the one evaluated last first. `runs`: newest first. */
export function datasetsOf(runs: readonly Run[]): { id: string; name: string }[] {
  return [...new Map(runs.map(({ dataset_id: id, dataset_name: name }) => [id, { id, name }])).values()];
}
