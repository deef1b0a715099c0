import type { GateState, PolicyState } from '~/screens/gate/gateQueries';

/** A policy that allows: nine of ten passed, eight are needed. */
export function aPolicy(changes: Partial<PolicyState> = {}): PolicyState {
  return {
    dataset_id: 'd',
    dataset_name: 'Refunds',
    threshold: 0.8,
    enabled: true,
    standing: 'found',
    decision: { ruling: 'allow', passed: 9, failed: 1, errors: 0, threshold: 0.8 },
    run: { run_id: 'r', passed: 9, failed: 1, errors: 0, finished_at: '2026-01-02T10:00:00Z', deleted: false },
    reason: 'allowed: 9/10 passed',
    ...changes,
  };
}

export const UNDECIDED = { ruling: 'undecided', passed: 0, failed: 0, errors: 0, threshold: 0.8 } as const;

export function aGate(policies: PolicyState[], changes: Partial<GateState> = {}): GateState {
  return { target_id: 't', target_name: 'support', version: 3, allowed: policies.every(({ decision }) => decision.ruling === 'allow'), policies, ...changes };
}
