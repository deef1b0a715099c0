import { expect, test } from 'vitest';

import { ApiError } from '~/api/errors';
import { isRefusedFor, refusalOf } from '~/screens/simulations/refusal';

const error = (detail: string, status = 422) => new ApiError(status, 'invalid_input', 't', detail);

test('a person who is not simulated, case by case', () => {
  const said = error('a run asks no person, and these steps are not simulated: approve (case a), approve (case b, with (marks)), check (case a) and 7 others; simulate them on the dataset or on the case');
  expect(refusalOf(said)).toEqual({
    kind: 'person',
    places: [
      { component: 'approve', cases: ['a', 'b, with (marks)'] },
      { component: 'check', cases: ['a'] },
    ],
    more: 7,
  });
});

test('a side effect, and a simulation of what is not there', () => {
  const effect = error('what changes the world is not simulated: file_ops (case a); simulate it on the dataset or on the case, or allow it (allow_side_effects, --allow-side-effects)');
  expect(isRefusedFor(effect, 'effect')).toBe(true);
  expect(isRefusedFor(effect, 'person')).toBe(false);
  const stranger = error('there are simulations of what the target has not: gone (the dataset or the run), gone (case a) and 1 other; its tools and steps are: a, b');
  expect(refusalOf(stranger)).toEqual({ kind: 'stranger', places: [{ component: 'gone', cases: [null, 'a'] }], more: 1 });
});

test.each([error('no judge model is set'), error('what changes the world is not simulated: something else'), new Error('x'), null])('any other error is left as it is', (other) => {
  expect(refusalOf(other)).toBeNull();
});
