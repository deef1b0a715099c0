import { expect, test } from 'vitest';

import { type Progress, stepStatuses } from '~/screens/workflows/run/stepStatuses';
import { stepsOf } from '~/screens/workflows/steps';
import type { StepStatus } from '~/ui/steps/StepState';

const steps = stepsOf({
  steps: [
    { name: 'a', kind: 'prompt' },
    { name: 'b', kind: 'human', question: '{{ steps.a }}' },
    { name: 'each', kind: 'map', items: '{{ steps.a }}', steps: [{ name: 'x', kind: 'prompt' }, { name: 'y', kind: 'prompt', prompt: '{{ steps.x }}' }] },
    { name: 'end', kind: 'transform', value: '{{ steps.b }} {{ steps.each }}' },
  ],
});
const states = (ended: Record<string, StepStatus>, more: Partial<Progress> = {}) => Object.fromEntries(stepStatuses(steps, { ended: new Map(Object.entries(ended)), asked: new Set(), going: true, ...more }));

test('what nothing holds up any more is at work', () => {
  expect(states({})).toEqual({ a: 'running', b: 'open', each: 'open', 'each.x': 'open', 'each.y': 'open', end: 'open' });
  expect(states({ a: 'done' })).toMatchObject({ a: 'done', b: 'running', each: 'running', end: 'open' });
  expect(states({ a: 'skipped', b: 'skipped', each: 'done' })).toMatchObject({ end: 'running' });
});

test('a step of a map tells the worst of its items', () => {
  expect(states({ a: 'done', 'each[0].x': 'done', 'each[1].x': 'failed', 'each[0].y': 'skipped' })).toMatchObject({ 'each.x': 'failed', 'each.y': 'skipped' });
});

test('a step waits for a person until it is answered', () => {
  const waiting = { a: 'done', b: 'asked' } as const;
  expect(states(waiting, { asked: new Set(['b']), going: false })).toMatchObject({ b: 'asked', each: 'open', end: 'open' });
  expect(states(waiting)).toMatchObject({ b: 'running' });
});

test('nothing is at work in an execution that is over', () => {
  expect(states({ a: 'failed' }, { going: false })).toMatchObject({ a: 'failed', b: 'open', end: 'open' });
});
