import { expect, test } from 'vitest';

import { returnPath } from '~/app/signIn';

test.each([
  [null, '/'],
  ['/runs?page=2#x', '/runs?page=2#x'],
  ['https://elsewhere.example', '/'],
  ['//elsewhere.example', '/'],
  ['/\\elsewhere.example', '/'],
  ['/sign-in?next=/', '/'],
  ['runs', '/'],
])('from %o one returns to %s', (next, path) => {
  expect(returnPath(next)).toBe(path);
});
