import type { StepStatus } from '~/ui/steps/StepState';
import { type Provenance, PROVENANCE, provenanceOf } from '~/ui/trace/provenance';
import type { Span } from '~/ui/trace/tree';

/** Names of a workflow step's span and its attributes. */
const OPERATION = 'gen_ai.operation.name';
export const WORKFLOW_STEP = 'workflow_step';
export const STEP_NAME = 'aloi.step.name';
export const STEP_KIND = 'aloi.step.kind';
export const STEP_INPUT = 'aloi.step.input';
export const STEP_OUTPUT = 'aloi.step.output';
const SKIPPED = 'aloi.step.skipped';
const WAITING = 'aloi.step.waiting';

/** `each[2].inner`: the map, the item's index, the step within. Outer maps stay in the first part. */
const INNER = /^(.*)\[(\d+)\]\.([^.[\]]+)$/;

/** One step of a workflow as it was done. */
export interface StepRun {
  /** `lookup`, or `each[2].inner` within a map. */
  path: string;
  /** Its own name, the last part of the path. */
  name: string;
  kind: string;
  status: StepStatus;
  input: unknown;
  /** Undefined where it gave none. */
  output: unknown;
  error: string | null;
  provenance: Provenance;
  seconds: number;
  startNs: number;
  /** What a map did for each item. */
  items: ItemRun[];
}

export interface ItemRun {
  index: number;
  status: StepStatus;
  steps: StepRun[];
}

/** The steps of a workflow in a trace, by start, those of maps by item. A step that was asked twice counts as it ended. */
export function stepRuns(spans: readonly Span[]): StepRun[] {
  const runs = new Map<string, StepRun>();
  const sorted = [...spans].sort((a, b) => a.start_ns - b.start_ns);
  for (const span of sorted) {
    const run = runOf(span);
    if (!run) continue;
    const before = runs.get(run.path);
    runs.set(run.path, before ? { ...run, startNs: before.startNs, input: run.input ?? before.input, items: before.items } : run);
  }
  return nested(runs);
}

function runOf(span: Span): StepRun | null {
  const given: Record<string, unknown> = span.attributes;
  if (given[OPERATION] !== WORKFLOW_STEP) return null;
  const path = typeof given[STEP_NAME] === 'string' ? given[STEP_NAME] : span.name.replace(/^step /, '');
  return {
    path,
    name: nameOf(path),
    kind: typeof given[STEP_KIND] === 'string' ? given[STEP_KIND] : '',
    status: statusOf(span, given),
    input: given[STEP_INPUT],
    output: given[STEP_OUTPUT],
    error: span.error,
    provenance: provenanceOf(given[PROVENANCE]),
    seconds: (span.end_ns - span.start_ns) / 1e9,
    startNs: span.start_ns,
    items: [],
  };
}

function statusOf({ error }: Span, given: Record<string, unknown>): StepStatus {
  if (given[SKIPPED] === true) return 'skipped';
  if (error !== null) return 'failed';
  return given[WAITING] === true ? 'asked' : 'done';
}

function nameOf(path: string): string {
  return INNER.exec(path)?.[3] ?? path;
}

/** Puts the steps within maps under their map, which is made up where its own span is missing. */
function nested(runs: Map<string, StepRun>): StepRun[] {
  const roots = new Map<string, StepRun>();
  const placed = (run: StepRun) => {
    const inner = INNER.exec(run.path);
    if (!inner) {
      roots.set(run.path, run);
      return;
    }
    const [, mapPath = '', index = '0'] = inner;
    const map = runs.get(mapPath) ?? missingMap(mapPath, run);
    if (!runs.has(mapPath)) {
      runs.set(mapPath, map);
      placed(map);
    }
    itemOf(map, Number(index)).steps.push(run);
  };
  [...runs.values()].forEach(placed);
  const sorted = [...roots.values()].sort((a, b) => a.startNs - b.startNs);
  sorted.forEach(finishItems);
  return sorted;
}

function missingMap(path: string, first: StepRun): StepRun {
  return { ...first, path, name: nameOf(path), kind: 'map', status: 'running', input: undefined, output: undefined, error: null, seconds: 0, items: [] };
}

function itemOf(map: StepRun, index: number): ItemRun {
  const found = map.items.find((item) => item.index === index);
  if (found) return found;
  const item: ItemRun = { index, status: 'done', steps: [] };
  map.items.push(item);
  return item;
}

const WORST: StepStatus[] = ['failed', 'asked', 'running', 'open', 'done', 'skipped'];

function finishItems(run: StepRun): void {
  run.items.sort((a, b) => a.index - b.index);
  for (const item of run.items) {
    item.steps.sort((a, b) => a.startNs - b.startNs);
    item.steps.forEach(finishItems);
    item.status = WORST.find((status) => item.steps.some((step) => step.status === status)) ?? 'done';
  }
}
