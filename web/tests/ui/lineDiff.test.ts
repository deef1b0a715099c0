import { expect, test } from 'vitest';

import { lineDiff, type LinePair } from '~/ui/lineDiff';

const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);
const text = (line: LinePair['before']) => line?.parts.map(({ value }) => value).join('') ?? null;
const shown = ({ before, after }: LinePair) => [before?.number ?? null, text(before), after?.number ?? null, text(after)];

test('what is far from a change is folded, with three lines of context', () => {
  const before = numbered(1, 20);
  const after = before.with(9, 'another text');
  const stretches = lineDiff(before.join('\n'), after.join('\n'));
  expect(stretches.map(({ folded, pairs }) => [folded, pairs.length])).toEqual([[true, 6], [false, 8], [true, 7]]);
  expect(stretches[1]?.pairs.filter(({ same }) => !same).map(shown)).toEqual([
    [10, 'line 10', null, null],
    [null, null, 10, 'another text'],
  ]);
});

test('a rewritten line stands beside its old self, and only its words are marked', () => {
  const [stretch] = lineDiff('model: openai:gpt-4o\nprompt: Be brief.', 'model: openai:gpt-4o\nprompt: Be very brief.');
  const pair = stretch?.pairs[1];
  expect(shown(pair as LinePair)).toEqual([2, 'prompt: Be brief.', 2, 'prompt: Be very brief.']);
  expect(pair?.after?.parts.filter(({ added }) => added).map(({ value }) => value.trim())).toEqual(['very']);
});

test('lines that were added push the numbers of the second text on', () => {
  const [stretch] = lineDiff('a\nb', 'a\nnew\nb');
  expect(stretch?.pairs.map(shown)).toEqual([[1, 'a', 1, 'a'], [null, null, 2, 'new'], [2, 'b', 3, 'b']]);
});

test('equal texts are one fold, and a fold of one line is none', () => {
  expect(lineDiff('a\nb', 'a\nb').map(({ folded }) => folded)).toEqual([true]);
  expect(lineDiff('a', 'a').map(({ folded }) => folded)).toEqual([false]);
});

test('everything changed, from or to nothing', () => {
  expect(lineDiff('', 'a\nb').flatMap(({ pairs }) => pairs).filter(({ after }) => after).map(({ after }) => text(after))).toEqual(['a', 'b']);
  expect(lineDiff('a\nb', '').flatMap(({ pairs }) => pairs).filter(({ before }) => before).map(({ before }) => text(before))).toEqual(['a', 'b']);
});
