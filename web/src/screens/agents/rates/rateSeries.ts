import type { Run } from '~/screens/runs/runQueries';

/** A finished run as a mark of the plot. */
export interface RatePoint {
  id: string;
  version: number;
  /** RFC 3339. */
  finished: string;
  passed: number;
  failed: number;
  errors: number;
  /** Shares of 0..1. */
  rate: number;
  low: number;
  high: number;
  judgeNoise: boolean;
  /** Whether every case of its dataset took part. */
  complete: boolean;
}

export type Order = 'time' | 'version';

/** The runs that came to a rate, oldest first. */
export function ratePoints(runs: readonly Run[]): RatePoint[] {
  return runs
    .flatMap((run) => {
      const { summary, rate, finished_at: finished, spec } = run;
      const [low, high] = run.interval;
      if (summary === null || rate === null || finished === null) return [];
      const { passed, failed, errors, judge_noise: judgeNoise } = summary;
      return [{ id: run.id, version: run.target_version, finished, passed, failed, errors, rate, low, high, judgeNoise, complete: spec.complete && run.status === 'completed' }];
    })
    .sort((a, b) => (a.finished < b.finished ? -1 : 1));
}

/** Points in the order that they stand in; those of one version by time. */
export function ordered(points: readonly RatePoint[], order: Order): RatePoint[] {
  return order === 'time' ? [...points] : [...points].sort((a, b) => a.version - b.version || (a.finished < b.finished ? -1 : 1));
}

/** The versions that occur, lowest first; the place of one chooses its mark. */
export function versionsOf(points: readonly RatePoint[]): number[] {
  return [...new Set(points.map(({ version }) => version))].sort((a, b) => a - b);
}

/** The datasets of runs, the one evaluated last first. `runs`: newest first. */
export function datasetsOf(runs: readonly Run[]): { id: string; name: string }[] {
  return [...new Map(runs.map(({ dataset_id: id, dataset_name: name }) => [id, { id, name }])).values()];
}
