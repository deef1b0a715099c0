import type { Result, Run } from '~/screens/runs/runQueries';

const USAGE = { calls: 2, input_tokens: 30, output_tokens: 12, cost: 0.01, unpriced: 0 };

/** A run that ended, of five cases. */
export function aRun(changes: Partial<Run> = {}): Run {
  return {
    id: 'run-1',
    target_id: 't',
    target_name: 'support',
    target_kind: 'agent',
    target_version: 2,
    dataset_id: 'd',
    dataset_name: 'Refunds',
    schedule_id: null,
    spec: { target_version_id: 'v', revision_id: 'r', judge: null, judge_prompts: {}, limits: { concurrency: 5, trials: 1, seconds_per_case: 300, max_cost: null, max_tokens: null }, case_keys: null, parent_id: null, regrades: false, complete: true, outcomes_at: null, schedule_id: null, allow_side_effects: false, tags: [], saved_evaluators: [] },
    status: 'completed',
    interrupted: false,
    reason: null,
    total: 6,
    skipped: [],
    progress: { total: 6, passed: 4, failed: 1, errors: 1, tokens: 42, cost: 0.01 },
    rate: 0.8,
    interval: [0.3, 1],
    provisional: false,
    summary: {
      cases: 6, trials: 1, passed: 4, failed: 1, errors: 1, rate: 0.8, interval: [0.3, 1], judge_noise: false, bounds: [0.67, 0.83], mean_score: 0.9, score_interval: null,
      latency: { mean: 1.5, p50: 1, p95: 2 }, usage: USAGE, judge_usage: { ...USAGE, calls: 0 }, judged: 0, disagreed: 0, unstable: false, not_applicable: 0, error_types: { timeout: 1 }, pass_at_k: [],
    },
    started_by: 'ada',
    created_at: '2026-01-02T10:00:00Z',
    started_at: '2026-01-02T10:00:01Z',
    finished_at: '2026-01-02T10:00:31Z',
    ...changes,
  };
}

/** A result that passed. */
export function aResult(changes: Partial<Result> = {}): Result {
  return {
    case_id: 'c1', case_key: 'k1', case_name: '', trial: 0, input: 'How long do refunds take?', output: '14 days', verdict: 'pass', score: 1,
    scores: [{ evaluator: 'contains', kind: 'contains', weight: 1, value: 1, verdict: 'pass', threshold: null, explanation: 'the output contains "14"', disagreed: false }],
    disagreed: false, latency: 1.2, usage: USAGE, judge_usage: { ...USAGE, calls: 0 }, not_applicable: [], failure: null, carried_over: false, label: null,
    ...changes,
  };
}

export const page = <T>(items: T[]) => ({ items, total: items.length, page: 1, size: 50, pages: 1 });
export const ME = { 'GET /api/auth/me': { body: { workspace: { id: '1', name: 'w' }, name: 'ada', role: 'editor', kind: 'member' } } };
