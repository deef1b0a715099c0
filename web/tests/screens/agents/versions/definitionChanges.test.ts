import { expect, test } from 'vitest';

import { definitionChanges } from '~/screens/agents/versions/definitionChanges';

const named = (changes: ReturnType<typeof definitionChanges>) => changes.map(({ path, what }) => `${path.join('.')} ${what}`);

test('fields that differ are named by their place, within objects too', () => {
  const changes = definitionChanges({ model: 'a', limits: { steps: 3 }, note: 'x' }, { model: 'b', limits: { steps: 3, calls: 9 } });
  expect(named(changes)).toEqual(['model changed', 'limits.calls added', 'note removed']);
  expect(changes[0]).toMatchObject({ before: 'a', after: 'b' });
});

test('steps are told apart by name, wherever they stand', () => {
  const [classify, answer] = [{ name: 'classify', prompt: 'x' }, { name: 'answer', prompt: 'y' }];
  expect(named(definitionChanges({ steps: [classify, answer] }, { steps: [{ ...classify, prompt: 'z' }, { name: 'look', kind: 'tool' }, answer] }))).toEqual(['steps.classify.prompt changed', 'steps.look added']);
  expect(named(definitionChanges({ steps: [classify, answer] }, { steps: [answer, classify] }))).toEqual(['steps moved']);
});

test('lists without names are compared whole', () => {
  expect(named(definitionChanges({ tools: ['calculator'] }, { tools: ['calculator', 'datetime'] }))).toEqual(['tools changed']);
});

test('the order of keys is no difference, a null and a missing field are two things', () => {
  expect(definitionChanges({ a: [{ x: 1, y: 2 }], b: {} }, { b: {}, a: [{ y: 2, x: 1 }] })).toEqual([]);
  expect(named(definitionChanges({ a: null }, {}))).toEqual(['a removed']);
});
