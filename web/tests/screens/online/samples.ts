import type { OnlineBucket, OnlineResult, OnlineRule } from '~/screens/online/onlineQueries';

export { me, page, problem } from '../schedules/samples';

const TIME = '2026-11-30T12:00:00Z';

export function aBucket(changes: Partial<OnlineBucket> = {}): OnlineBucket {
  return { start: '2026-11-30T11:00:00Z', end: TIME, passed: 8, failed: 2, errors: 1, skipped: 0, gone: 0, rate: 0.8, interval: [0.49, 0.94], judge_noise: false, cost: null, unpriced: 0, ...changes };
}

export function aRule(changes: Partial<OnlineRule> = {}): OnlineRule {
  return {
    id: 'r1', target_id: 't1', name: 'Polite answers', enabled: true, share: 0.1,
    filters: { status: 'ok', text: 'order', version: 2, min_seconds: 1.5 },
    evaluators: [
      { name: 'Politeness', weight: 1, spec: { kind: 'llm_judge', rubric: 'Be polite.' }, evaluator_id: 'e1', version: 1 },
      { name: 'latency', weight: 0, spec: { kind: 'latency', max: 30 }, evaluator_id: null, version: null },
    ],
    judge_samples: 3, most_per_day: 500, cost_per_day: 2, drafts_dataset_id: 'd1', drafts_dataset_name: 'Failures',
    created_at: TIME, updated_at: TIME, recent: aBucket(), today: { graded: 500, skipped: 120, cost: 0.5 }, waiting: 3,
    ...changes,
  };
}

export function aResult(changes: Partial<OnlineResult> = {}): OnlineResult {
  const usage = { calls: 0, input_tokens: null, output_tokens: null, cost: null, unpriced: 0 };
  return {
    rule_id: 'r1', rule_name: 'Polite answers', created_at: TIME, graded_at: TIME, verdict: 'fail', score: 0, failure: null, usage,
    execution: {
      id: 'x1', target_id: 't1', target_name: 'Support', version: 2, source: 'production', run_id: null, case_key: null, created_at: TIME,
      status: 'ok', input: 'Where is my order?', output: 'No idea.', failure: null, latency: 1, usage,
    },
    scores: [
      { evaluator: 'latency', kind: 'latency', weight: 0, value: 1, verdict: 'pass', explanation: 'fast enough', threshold: null, details: null, samples: [], disagreed: false, failure: null, usage, start_ns: 0, seconds: 0 },
      { evaluator: 'Politeness', kind: 'llm_judge', weight: 1, value: 0, verdict: 'fail', explanation: 'it is curt', threshold: 0.5, details: null, samples: [], disagreed: false, failure: null, usage, start_ns: 0, seconds: 0 },
    ],
    ...changes,
  } as OnlineResult;
}
