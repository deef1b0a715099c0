import { expect, test } from 'vitest';

import { type StepRun, stepRuns } from '~/ui/steps/stepRuns';
import type { Span } from '~/ui/trace/tree';

let clock = 0;
function step(path: string, attributes: Record<string, unknown> = {}, error: string | null = null): Span {
  clock += 1_000_000_000;
  return {
    span_id: String(clock),
    parent_id: null,
    name: `step ${path}`,
    start_ns: clock,
    end_ns: clock + 500_000_000,
    attributes: { 'gen_ai.operation.name': 'workflow_step', 'aloi.step.name': path, 'aloi.step.kind': 'prompt', ...attributes },
    error,
  };
}
const shown = (runs: readonly StepRun[]): unknown[] => runs.map(({ name, status, items }) => (items.length > 0 ? [name, status, items.map((item) => [item.index, item.status, shown(item.steps)])] : [name, status]));

test('steps stand in order with what they were given and gave', () => {
  const [second, first] = [step('b'), step('a')];
  const runs = stepRuns([{ ...first, start_ns: 1, attributes: { ...first.attributes, 'aloi.step.input': { x: 1 }, 'aloi.step.output': 'yes' } }, second, { ...step('x'), attributes: {} }]);
  expect(shown(runs)).toEqual([['a', 'done'], ['b', 'done']]);
  expect(runs[0]).toMatchObject({ input: { x: 1 }, output: 'yes', kind: 'prompt', error: null });
  expect(runs[1]?.seconds).toBe(0.5);
});

test('skipped, failed and waiting steps are told apart', () => {
  const runs = stepRuns([step('a', { 'aloi.step.skipped': true }), step('b', {}, 'no answer'), step('c', { 'aloi.step.waiting': true })]);
  expect(shown(runs)).toEqual([['a', 'skipped'], ['b', 'failed'], ['c', 'asked']]);
});

test('a step that waited and was answered is done', () => {
  const runs = stepRuns([step('ask', { 'aloi.step.waiting': true, 'aloi.step.input': { question: 'May I?' } }), step('ask', { 'aloi.step.output': true })]);
  expect(shown(runs)).toEqual([['ask', 'done']]);
  expect(runs[0]).toMatchObject({ input: { question: 'May I?' }, output: true });
});

test('the steps of a map stand under its items, also of a map within a map', () => {
  const runs = stepRuns([step('each[1].inner', {}, 'bad'), step('each[0].inner'), step('each[0].deep[0].x'), step('each[0].deep'), step('each')]);
  expect(shown(runs)).toEqual([['each', 'done', [[0, 'done', [['inner', 'done'], ['deep', 'done', [[0, 'done', [['x', 'done']]]]]]], [1, 'failed', [['inner', 'failed']]]]]]);
});

test('a map whose span has not ended yet is at work', () => {
  expect(shown(stepRuns([step('each[0].a')]))).toEqual([['each', 'running', [[0, 'done', [['a', 'done']]]]]]);
});
