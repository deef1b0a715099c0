import { STEP_INPUT, STEP_KIND, STEP_NAME, STEP_OUTPUT, WORKFLOW_STEP } from '~/ui/steps/stepRuns';
import { graded, type Graded, isOfResult, resultOperation, type ResultOperation } from '~/ui/trace/graded';
import { type Provenance, PROVENANCE, provenanceOf } from '~/ui/trace/provenance';
import type { Span } from '~/ui/trace/tree';

/** Attribute names of the OpenTelemetry GenAI conventions, and two of ours. */
const OPERATION = 'gen_ai.operation.name';
const REQUEST_MODEL = 'gen_ai.request.model';
const INSTRUCTIONS = 'gen_ai.system_instructions';
const INPUT_MESSAGES = 'gen_ai.input.messages';
const OUTPUT_MESSAGES = 'gen_ai.output.messages';
const INPUT_TOKENS = 'gen_ai.usage.input_tokens';
const OUTPUT_TOKENS = 'gen_ai.usage.output_tokens';
const TOOL_NAME = 'gen_ai.tool.name';
const TOOL_CALL_ID = 'gen_ai.tool.call.id';
const TOOL_ARGUMENTS = 'gen_ai.tool.call.arguments';
const TOOL_RESULT = 'gen_ai.tool.call.result';
const COST = 'aloi.cost';
/** Of use to the program alone: that a request told of its trace, whether spans are wanted, and which were there before. */
const TRACE_SENT = 'aloi.trace.sent';
const TRACE_WAIT = 'aloi.trace.wait';
const TRACE_OWN = 'aloi.trace.own';
const SHOWN_APART = new Set([
  OPERATION, REQUEST_MODEL, INSTRUCTIONS, INPUT_MESSAGES, OUTPUT_MESSAGES, INPUT_TOKENS, OUTPUT_TOKENS,
  TOOL_NAME, TOOL_CALL_ID, TOOL_ARGUMENTS, TOOL_RESULT, PROVENANCE, COST, STEP_NAME, STEP_KIND, STEP_INPUT, STEP_OUTPUT,
  TRACE_SENT, TRACE_WAIT, TRACE_OWN,
]);

export const ROLES = ['system', 'user', 'assistant', 'tool'] as const;
export type MessageRole = (typeof ROLES)[number];

export type Part =
  | { type: 'text' | 'reasoning' | 'response' | 'file'; content: unknown }
  | { type: 'call'; name: string; content: unknown };

export interface Message {
  role: MessageRole | null;
  parts: Part[];
}

export interface SpanFacts {
  operation: 'agent' | 'model' | 'tool' | 'other' | ResultOperation;
  /** The tool or the model by name, else the span's own name. */
  title: string;
  model: string | null;
  inputTokens: number | null;
  outputTokens: number | null;
  cost: number | null;
  call: { args: unknown; result: unknown } | null;
  /** Whether a tool or a step acted for real; null where that is no question. */
  provenance: Provenance | null;
  /** What a workflow's step was given and gave; undefined where it did not. */
  step: { input: unknown; output: unknown } | null;
  input: Message[];
  output: Message[];
  /** What a span around those of the target says of a result; null for those of the target. */
  graded: Graded | null;
  /** What else it says, as it came. */
  rest: Record<string, unknown>;
}

/** What a span says, read from its attributes. They may come from anywhere, so nothing is taken for granted. */
export function spanFacts(span: Span): SpanFacts {
  const given: Record<string, unknown> = span.attributes;
  const operation = operationOf(given[OPERATION]);
  const tool = operation === 'tool' ? (text(given[TOOL_NAME]) ?? span.name.replace(/^execute_tool /, '')) : null;
  const model = text(given[REQUEST_MODEL]);
  const isStep = given[OPERATION] === WORKFLOW_STEP;
  const ofResult = resultOperation(given[OPERATION]) === null ? null : graded(given);
  return {
    operation,
    title: ofResult?.name ?? tool ?? (operation === 'model' ? model : isStep ? text(given[STEP_NAME]) : null) ?? span.name,
    model,
    inputTokens: number(given[INPUT_TOKENS]),
    outputTokens: number(given[OUTPUT_TOKENS]),
    cost: number(given[COST]),
    call: tool === null ? null : { args: parsed(given[TOOL_ARGUMENTS] ?? {}), result: given[TOOL_RESULT] },
    provenance: tool !== null || given[PROVENANCE] !== undefined ? provenanceOf(given[PROVENANCE]) : null,
    step: isStep ? { input: given[STEP_INPUT], output: given[STEP_OUTPUT] } : null,
    input: [...instructions(given[INSTRUCTIONS]), ...messages(given[INPUT_MESSAGES])],
    output: messages(given[OUTPUT_MESSAGES]),
    graded: ofResult,
    rest: Object.fromEntries(Object.entries(given).filter(([name]) => !SHOWN_APART.has(name) && !(ofResult && isOfResult(name)))),
  };
}

/** Whether a span is the call of a tool; read without the rest. */
export function isToolCall({ attributes }: Span): boolean {
  return operationOf((attributes as Record<string, unknown>)[OPERATION]) === 'tool';
}

function operationOf(value: unknown): SpanFacts['operation'] {
  if (value === 'invoke_agent') return 'agent';
  if (value === 'execute_tool') return 'tool';
  const ofResult = resultOperation(value);
  if (ofResult) return ofResult;
  return value === 'chat' || value === 'generate_content' || value === 'text_completion' ? 'model' : 'other';
}

/** What the agent is told to be, as the message it is to the model. */
function instructions(value: unknown): Message[] {
  const parts = parsed(value);
  if (Array.isArray(parts)) return messages([{ role: 'system', parts }]);
  return text(value) === null ? [] : messages([{ role: 'system', content: value }]);
}

function messages(value: unknown): Message[] {
  const found = parsed(value);
  return (Array.isArray(found) ? found : []).filter(isObject).map((message) => ({
    role: ROLES.find((role) => role === message.role) ?? null,
    parts: (Array.isArray(message.parts) ? message.parts : [{ type: 'text', content: message.content }]).filter(isObject).map(part),
  }));
}

function part(given: Record<string, unknown>): Part {
  if (given.type === 'tool_call') return { type: 'call', name: text(given.name) ?? '', content: parsed(given.arguments ?? {}) };
  if (given.type === 'tool_call_response') return { type: 'response', content: given.response ?? given.result };
  if (given.type === 'file' && text(given.name)) return { type: 'file', content: [text(given.name), text(given.mime_type)].filter(Boolean).join(', ') };
  if (given.type === 'text' || given.type === 'reasoning') return { type: given.type, content: given.content };
  return { type: 'text', content: given };
}

/** A text that is JSON as its value; anything else as it is, also what is nested too deeply to be written again. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    const found: unknown = JSON.parse(value);
    JSON.stringify(found, null, 2);
    return found;
  } catch {
    return value;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null);
