import { describe, expect, test } from 'vitest';

import { type Field, readSchema, sentence } from '~/ui/schema-form/schema';

import { agent, contains } from './schemas';

function fieldsOf(schema: Parameters<typeof readSchema>[0]): Record<string, Field> {
  const { shape } = readSchema(schema);
  if (shape.kind !== 'object') throw new Error('an object is wanted');
  return Object.fromEntries(shape.fields().map((field) => [field.name, field]));
}

describe('readSchema', () => {
  test('puts what must be given first', () => {
    expect(Object.keys(fieldsOf(contains))[0]).toBe('rubric');
  });

  test('finds the shape of each field', () => {
    const kinds = Object.entries(fieldsOf(contains)).map(([name, { shape }]) => [name, shape.kind]);
    expect(Object.fromEntries(kinds)).toEqual({
      rubric: 'text', target_path: 'text', ignore_case: 'boolean', exists: 'boolean', threshold: 'number', mode: 'choice', flags: 'choices',
    });
  });

  test('takes the null out of an optional type', () => {
    const { target_path, rubric } = fieldsOf(contains);
    expect(target_path).toMatchObject({ nullable: true, fallback: null, required: false, help: 'JSONPath of the part.' });
    expect(rubric).toMatchObject({ nullable: false, required: true });
  });

  test('gives long texts several lines', () => {
    const { rubric, target_path } = fieldsOf(contains);
    expect(rubric?.shape).toMatchObject({ multiline: true });
    expect(target_path?.shape).toMatchObject({ multiline: false });
  });

  test('follows references, and names a field after itself, not after its model', () => {
    const { limits } = fieldsOf(agent);
    expect(limits).toMatchObject({ title: 'AgentLimits' === limits?.title ? 'wrong' : 'Limits', help: 'Where it is stopped.' });
    expect(limits?.shape.kind).toBe('object');
  });

  test('reads maps, unions, lists of objects and free JSON', () => {
    const { headers, counts, servers, settings, expected } = fieldsOf(agent);
    expect(headers?.shape.kind).toBe('map');
    expect(settings?.shape).toEqual({ kind: 'json', object: true });
    expect(expected?.shape).toEqual({ kind: 'json', object: false });
    if (counts?.shape.kind !== 'map' || servers?.shape.kind !== 'list') throw new Error('a map and a list are wanted');
    expect(counts.shape.value().shape.kind).toBe('union');
    expect(servers.shape.item().shape.kind).toBe('object');
  });

  test('reads a schema that refers to itself', () => {
    const tree = { $defs: { Node: { type: 'object', properties: { child: { $ref: '#/$defs/Node' } } } }, type: 'object', properties: { root: { $ref: '#/$defs/Node' } } };
    expect(fieldsOf(tree).root?.shape.kind).toBe('object');
  });

  test('fixes constants', () => {
    expect(fieldsOf({ type: 'object', properties: { kind: { const: 'a' } } }).kind?.shape).toEqual({ kind: 'fixed', value: 'a' });
  });
});

test.each([
  ['Target Path', 'Target path'],
  ['api_key_env', 'API key env'],
  ['McpServer', 'MCP server'],
  ['', ''],
])('sentence(%o) is %o', (name, expected) => {
  expect(sentence(name)).toBe(expected);
});
