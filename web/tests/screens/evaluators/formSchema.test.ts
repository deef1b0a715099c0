import { expect, test } from 'vitest';

import { criteriaSchema, formSchema } from '~/screens/evaluators/formSchema';
import { type JsonSchema, readSchema, type ShapeOf } from '~/ui/schema-form/schema';

const CALLS: JsonSchema = {
  type: 'object',
  $defs: {
    ExpectedCall: {
      type: 'object',
      properties: { tool: { type: 'string', minLength: 1 }, args: { type: 'object', additionalProperties: { $ref: '#/$defs/JsonValue' } } },
      required: ['tool'],
    },
    JsonValue: {},
  },
  properties: {
    calls: { anyOf: [{ type: 'array', items: { $ref: '#/$defs/ExpectedCall' } }, { type: 'null' }], default: null },
    threshold: { type: 'number', default: 1 },
  },
  required: ['calls'],
};
const ORDER: JsonSchema = { type: 'object', properties: { tools: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }], default: null } } };

const fieldsOf = (schema: JsonSchema) => (readSchema(schema).shape as ShapeOf<'object'>).fields();

function expectedCall(schema: JsonSchema) {
  const calls = fieldsOf(schema).find(({ name }) => name === 'calls');
  const call = (calls?.shape as ShapeOf<'list'>).item();
  return Object.fromEntries((call.shape as ShapeOf<'object'>).fields().map(({ name, shape }) => [name, shape]));
}

test('arguments are given by name, each a text, a number, yes or no, or other JSON', () => {
  expect(expectedCall(CALLS).args).toEqual({ kind: 'json', object: true });
  const args = expectedCall(formSchema(CALLS)).args as ShapeOf<'map'>;
  expect(args.kind).toBe('map');
  expect((args.value().shape as ShapeOf<'union'>).variants.map(({ shape }) => shape.kind)).toEqual(['text', 'number', 'boolean', 'json']);
});

test('known tools are offered wherever a tool is named', () => {
  expect(expectedCall(formSchema(CALLS, ['search'])).tool).toMatchObject({ kind: 'text', offered: ['search'] });
  const [tools] = fieldsOf(formSchema(ORDER, ['search', 'book']));
  expect((tools?.shape as ShapeOf<'list'>).item().shape).toMatchObject({ kind: 'text', offered: ['search', 'book'] });
  expect(expectedCall(formSchema(CALLS)).tool).toMatchObject({ offered: [] });
});

test('for one case nothing is needed, and what counts otherwise is the evaluator’s own', () => {
  const [calls, threshold] = fieldsOf(criteriaSchema(CALLS, { threshold: 0.5 }));
  expect([calls?.required, threshold?.required]).toEqual([false, false]);
  expect(threshold?.fallback).toBe(0.5);
  expect(fieldsOf(criteriaSchema(CALLS, {})).find(({ name }) => name === 'threshold')?.fallback).toBe(1);
});
