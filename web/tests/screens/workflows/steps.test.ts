import { expect, test } from 'vitest';

import { flatSteps, idOfPath, stepsOf } from '~/screens/workflows/steps';

const needs = (definition: unknown) => Object.fromEntries(flatSteps(stepsOf(definition)).map(({ id, needs: all }) => [id, all.map(({ step, way }) => (way === null ? step : `${step}=${way}`))]));

test('a step follows on what its texts refer to, what it needs, and its branch', () => {
  expect(
    needs({
      steps: [
        { name: 'classify', kind: 'prompt', prompt: 'Classify {{ input.question }}' },
        { name: 'route', kind: 'branch', ways: [{ name: 'refund', if: [{ path: '$.steps.classify.kind', equals: 'refund' }] }] },
        { name: 'lookup', kind: 'tool', when: { route: ['refund', 'other'] }, arguments: { expression: '{{ steps.classify.amount }} * 2' } },
        { name: 'quoted', kind: 'transform', path: "$.steps['lookup']", needs: ['classify'] },
        { name: 'unknown', kind: 'transform', value: '{{ steps.nobody }} {{ steps.unknown }}' },
      ],
    }),
  ).toEqual({ classify: [], route: ['classify'], lookup: ['classify', 'route=refund, other'], quoted: ['classify', 'lookup'], unknown: [] });
});

test('the steps of a map are found under it; what they use of the outside is used by the map', () => {
  expect(
    needs({
      steps: [
        { name: 'fetch', kind: 'http' },
        { name: 'other', kind: 'http' },
        { name: 'each', kind: 'map', items: '{{ steps.fetch }}', steps: [{ name: 'a', kind: 'prompt', prompt: '{{ item }} {{ steps.other }}' }, { name: 'b', kind: 'prompt', prompt: '{{ steps.a }}' }] },
      ],
    }),
  ).toEqual({ fetch: [], other: [], each: ['fetch', 'other'], 'each.a': [], 'each.b': ['each.a'] });
});

test('what is half written has no steps, or those with a name', () => {
  for (const half of [null, 'text', [], {}, { steps: 'x' }, { steps: [null, 'x', {}, { name: 3 }] }]) expect(stepsOf(half)).toEqual([]);
  expect(stepsOf({ steps: [{ name: 'a' }, {}] })).toMatchObject([{ id: 'a', kind: '' }]);
});

test('a step of a trace is the step of the definition', () => {
  expect(idOfPath('each[2].inner')).toBe('each.inner');
  expect(idOfPath('outer[0].each[11].inner')).toBe('outer.each.inner');
});
