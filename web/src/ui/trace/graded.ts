import type { Verdict } from '~/ui/VerdictBadge';

/** The spans of a result that stand around those of its target, by what their operation says. */
const OPERATIONS = { 'aloi.case': 'case', 'aloi.execution': 'execution', 'aloi.evaluator': 'evaluator', 'aloi.judge_sample': 'sample' } as const;
const PREFIX = 'aloi.result.';

export type ResultOperation = (typeof OPERATIONS)[keyof typeof OPERATIONS];

export interface Graded {
  /** Of an evaluator its name, of a case its key. */
  name: string | null;
  kind: string | null;
  verdict: Verdict | null;
  value: number | null;
  threshold: number | null;
  explanation: string | null;
  input: unknown;
  output: unknown;
  /** Which of how many samples of a judge. */
  sample: { number: number; of: number } | null;
  carriedOver: boolean;
  /** By how many seconds an earlier answer was graded later; the trace leaves that time out. */
  secondsLater: number | null;
}

/** Which span of a result it is; null for those of the target. */
export function resultOperation(operation: unknown): ResultOperation | null {
  return typeof operation === 'string' && operation in OPERATIONS ? OPERATIONS[operation as keyof typeof OPERATIONS] : null;
}

/** What a span of a result says of it. */
export function graded(attributes: Record<string, unknown>): Graded {
  const said = (name: string): unknown => attributes[PREFIX + name];
  const verdict = said('verdict');
  return {
    name: text(said('evaluator')) ?? text(said('case')),
    kind: text(said('kind')),
    verdict: verdict === 'pass' || verdict === 'fail' || verdict === 'error' ? verdict : null,
    value: number(said('value') ?? said('score')),
    threshold: number(said('threshold')),
    explanation: text(said('explanation')),
    input: said('input'),
    output: said('output'),
    sample: sample(number(said('sample')), number(said('samples'))),
    carriedOver: said('carried_over') === true,
    secondsLater: number(said('graded_seconds_later')),
  };
}

export const isOfResult = (name: string) => name.startsWith(PREFIX);

const sample = (at: number | null, of: number | null) => (at === null || of === null ? null : { number: at, of });
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);
const number = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null);
