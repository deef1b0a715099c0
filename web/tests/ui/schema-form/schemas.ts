import type { JsonSchema } from '~/ui/schema-form/schema';

/** Schemas as pydantic writes them. */
export const contains: JsonSchema = {
  type: 'object',
  title: 'Contains',
  properties: {
    target_path: { anyOf: [{ type: 'string' }, { type: 'null' }], default: null, description: 'JSONPath of the part.', title: 'Target Path' },
    ignore_case: { type: 'boolean', default: false, title: 'Ignore Case' },
    exists: { anyOf: [{ type: 'boolean' }, { type: 'null' }], default: null, title: 'Exists' },
    threshold: { type: 'number', default: 0.9, minimum: 0, maximum: 1, title: 'Threshold' },
    mode: { enum: ['subset', 'exact'], type: 'string', default: 'subset', title: 'Mode' },
    flags: { type: 'array', items: { enum: ['ignorecase', 'dotall'], type: 'string' }, default: [], title: 'Flags' },
    rubric: { type: 'string', minLength: 1, title: 'Rubric' },
  },
  required: ['rubric'],
};

export const agent: JsonSchema = {
  $defs: {
    JsonValue: {},
    Limits: {
      type: 'object',
      title: 'AgentLimits',
      properties: {
        steps: { type: 'integer', default: 50, minimum: 1, title: 'Steps' },
        seconds: { anyOf: [{ type: 'number', exclusiveMinimum: 0 }, { type: 'null' }], default: null, title: 'Seconds' },
      },
    },
    Server: {
      type: 'object',
      title: 'McpServer',
      properties: { name: { type: 'string', pattern: '^[a-z]+$', title: 'Name' }, args: { type: 'array', items: { type: 'string' }, default: [], title: 'Args' } },
      required: ['name'],
    },
    Count: { type: 'object', title: 'Count', properties: { op: { enum: ['==', '>='], type: 'string', title: 'Op' }, n: { type: 'integer', title: 'N' } }, required: ['op', 'n'] },
  },
  type: 'object',
  title: 'Agent',
  properties: {
    model: { type: 'string', title: 'Model' },
    settings: { type: 'object', additionalProperties: { $ref: '#/$defs/JsonValue' }, title: 'Settings' },
    headers: { type: 'object', additionalProperties: { type: 'string' }, default: {}, title: 'Headers' },
    counts: {
      anyOf: [{ type: 'object', additionalProperties: { anyOf: [{ type: 'integer', minimum: 0, examples: [1] }, { $ref: '#/$defs/Count' }] } }, { type: 'null' }],
      default: null,
      title: 'Counts',
    },
    servers: { type: 'array', items: { $ref: '#/$defs/Server' }, default: [], title: 'Servers' },
    limits: { $ref: '#/$defs/Limits', default: { steps: 50, seconds: null }, description: 'Where it is stopped.' },
    expected: { $ref: '#/$defs/JsonValue', default: null, description: 'Any JSON.' },
  },
  required: ['model'],
};
