import type { Schemas } from '~/api/client';

const TIME = '2026-11-30T12:00:00Z';

export const me = { workspace: { id: 'w', name: 'default' }, name: 'ada@example.org', role: 'editor', kind: 'member', member_id: 'm' };

export const dataset: Schemas['Dataset'] = { id: 'd1', name: 'Refunds', description: '', target_id: null, judge_samples: 1, bindings: [], simulations: {}, created_at: TIME, updated_at: TIME };

export const entry: Schemas['DatasetEntry'] = { id: 'd1', name: 'Refunds', description: 'Words', target_id: null, case_count: 7, runnable: true, evaluator_count: 2, judge_samples: 1, last_run: null, updated_at: TIME, may_change: true };

export const stored: Schemas['Case-Output'] = {
  id: 'c1',
  key: 'auto-0123456789ab',
  name: '',
  input: 'Can I return it?',
  expected_output: null,
  expected_behavior: 'Explains the window.',
  assertions: ['One', 'Two'],
  evaluators: [],
  criteria: {},
  simulations: {},
  attachments: [],
  tags: ['a'],
  enabled: true,
  status: 'ready',
  source: { kind: 'manual', execution_id: null },
};

export const kinds: Schemas['KindInfo'][] = [
  { kind: 'contains', title: 'Pass when the output contains the text.', doc: 'Pass when the output contains the text.\n\nTexts are compared.', allowed: true, schema: { type: 'object', properties: { text: { type: 'string', title: 'Text' } }, required: ['text'] } },
  { kind: 'latency', title: 'Pass when it was fast.', doc: 'Pass when it was fast.', allowed: true, schema: { type: 'object', properties: { max: { type: 'number', title: 'Max' } }, required: ['max'] } },
  { kind: 'python', title: 'Grade by code.', doc: 'Grade by code.', allowed: false, schema: { type: 'object', properties: {} } },
  { kind: 'plugged', title: 'From a plug-in.', doc: 'From a plug-in.', allowed: true, schema: { type: 'object', properties: {} } },
];

export const page = <T>(items: T[]) => ({ items, total: items.length, page: 1, size: 20, pages: items.length ? 1 : 0 });

export const problem = (status: number, detail: string, errors: { pointer: string; detail: string }[] | null = null) => ({
  status,
  body: { type: 'about:blank', title: 't', status, detail, code: 'c', errors },
});
