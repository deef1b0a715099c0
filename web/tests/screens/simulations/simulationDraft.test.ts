import { expect, test } from 'vitest';

import { draftOf, isSound, newAnswer, outputForm, outputOf, reachOf, simulationOf } from '~/screens/simulations/simulationDraft';
import type { Simulation } from '~/screens/simulations/simulations';

import { APPROVE, component, REFUND, SUM } from './samples';

const formOf = (of: typeof SUM) => outputForm(of.output_schema, 'Output');
const fixed = (...outputs: unknown[]): Simulation => ({ kind: 'static', answers: outputs.map((output) => ({ output, when: [] })) });

test('a new simulation is filled with the example of the component', () => {
  expect(simulationOf(draftOf(APPROVE, undefined), formOf(APPROVE))).toEqual(fixed({ approved: true, note: 'text' }));
  expect(simulationOf(draftOf(SUM, undefined), formOf(SUM))).toEqual(fixed(0));
});

test('where nothing is known of the output, something must be written', () => {
  const draft = draftOf(REFUND, undefined);
  expect(isSound(draft, null)).toBe(false);
  expect(outputOf(draft.answers[0] ?? newAnswer(REFUND, 0), null).fault).toBe('missing');
});

test.each([[APPROVE], [REFUND], [SUM], [component('any', { output_schema: {} })]])('what is stored comes back as it was, whether it fits or not: %j', (of) => {
  const stored = fixed({ approved: false }, 'a text', '', null, 5, '5', '{"no": json', [1], { other: true });
  expect(simulationOf(draftOf(of, stored), formOf(of))).toEqual(stored);
});

test('a switch that nobody touched is off', () => {
  const answer = { ...newAnswer(APPROVE, 0), output: { text: '{}', as: 'auto' as const } };
  expect(outputOf(answer, formOf(APPROVE))).toEqual({ value: { approved: false }, fault: null });
});

test('a field that holds no value keeps the answer from being sent', () => {
  expect(outputOf({ ...newAnswer(SUM, 0), unreadable: ['/value'] }, formOf(SUM)).fault).toBe('faulty');
  expect(outputOf({ ...newAnswer(SUM, 0), output: { text: '', as: 'auto' } }, formOf(SUM)).fault).toBe('faulty');
  expect(outputOf({ ...newAnswer(SUM, 0), asText: true, output: { text: '{', as: 'json' } }, formOf(SUM)).fault).toBe('faulty');
});

test('a description is needed for what a model writes', () => {
  const draft = draftOf(SUM, { kind: 'generated', description: 'Adds.' });
  expect(simulationOf(draft, formOf(SUM))).toEqual({ kind: 'generated', description: 'Adds.' });
  expect(isSound({ ...draft, description: ' ' }, formOf(SUM))).toBe(false);
  expect(isSound(draft, formOf(SUM))).toBe(true);
});

test('what calls an answer is for', () => {
  const always = newAnswer(SUM, 0);
  const some = { ...newAnswer(SUM, 1), when: [{ path: '$.a', tests: [{ name: 'equals' as const, texts: ['1'] }] }] };
  expect(reachOf([always])).toEqual({ open: false, unreached: null });
  expect(reachOf([some])).toEqual({ open: true, unreached: null });
  expect(reachOf([some, always])).toEqual({ open: false, unreached: null });
  expect(reachOf([always, always, some])).toEqual({ open: false, unreached: 2 });
});
