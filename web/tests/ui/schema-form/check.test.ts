import { expect, test } from 'vitest';

import { check } from '~/ui/schema-form/check';
import { type JsonObject, readSchema } from '~/ui/schema-form/schema';

import { agent, contains } from './schemas';

const faults = (schema: Parameters<typeof readSchema>[0], value: Parameters<typeof check>[1]) => Object.fromEntries(check(readSchema(schema), value));

test('what must be given is missed', () => {
  expect(faults(contains, {})).toEqual({ '/rubric': { key: 'required' } });
});

test('defaults need not be given', () => {
  expect(faults(contains, { rubric: 'polite' })).toEqual({});
});

test.each([
  [1.5, { key: 'tooBig', limit: 1 }],
  [-0.1, { key: 'tooSmall', limit: 0 }],
])('a threshold of %d is out of range', (threshold, fault) => {
  expect(faults(contains, { rubric: 'polite', threshold })).toEqual({ '/threshold': fault });
});

test('faults within lists, maps and objects carry their pointers', () => {
  const value: JsonObject = {
    model: 'm',
    servers: [{ name: 'ok' }, { name: 'NOT OK' }, {}],
    counts: { 'a/b': -1, c: { op: '==', n: 1.5 } },
    limits: { steps: 0, seconds: 0 },
  };
  expect(faults(agent, value)).toEqual({
    '/servers/1/name': { key: 'doesNotMatch', pattern: '^[a-z]+$' },
    '/servers/2/name': { key: 'required' },
    '/counts/a~1b': { key: 'tooSmall', limit: 0 },
    '/counts/c/n': { key: 'notWhole' },
    '/limits/steps': { key: 'tooSmall', limit: 1 },
    '/limits/seconds': { key: 'tooSmallOrEqual', limit: 0 },
  });
});

test('a pattern that only Python can read is left to the server', () => {
  const schema = { type: 'object', properties: { name: { type: 'string', pattern: '(?P<a>x)' } } };
  expect(faults(schema, { name: 'y' })).toEqual({});
});
