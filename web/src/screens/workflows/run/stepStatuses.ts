import { flatSteps, idOfPath, type Step } from '~/screens/workflows/steps';
import type { StepRun } from '~/ui/steps/stepRuns';
import type { StepStatus } from '~/ui/steps/StepState';

export interface Progress {
  /** Where steps stand that have ended, by their paths. */
  ended: ReadonlyMap<string, StepStatus>;
  /** The paths of steps that wait for a person. */
  asked: ReadonlySet<string>;
  /** Whether steps are at work, rather than waiting for people or over. */
  going: boolean;
}

/** One for all items of a map: the one that matters most. */
const FIRST: StepStatus[] = ['failed', 'asked', 'running', 'open', 'done', 'skipped'];

/** Where each step of a workflow stands, by its id. Nobody tells when a step begins: it does once all before it ended. */
export function stepStatuses(steps: readonly Step[], progress: Progress): Map<string, StepStatus> {
  const found = new Map<string, StepStatus>();
  for (const [path, ended] of progress.ended) {
    const id = idOfPath(path);
    // A step that was answered since has not ended yet.
    const status = ended !== 'asked' || progress.asked.has(path) ? ended : progress.going ? 'running' : 'open';
    const before = found.get(id);
    found.set(id, before && FIRST.indexOf(before) < FIRST.indexOf(status) ? before : status);
  }
  for (const path of progress.asked) found.set(idOfPath(path), 'asked');
  const all = flatSteps(steps);
  const over = (id: string) => ['done', 'skipped'].includes(found.get(id) ?? 'open');
  const begun = all.filter(({ id, needs }) => !found.has(id) && progress.going && isReached(id, found) && needs.every(({ step }) => over(step)));
  begun.forEach(({ id }) => found.set(id, 'running'));
  return new Map(all.map(({ id }) => [id, settled(found.get(id) ?? 'open', progress.going)]));
}

/** A step within a map has begun only where its map has. */
function isReached(id: string, found: ReadonlyMap<string, StepStatus>): boolean {
  const map = id.slice(0, Math.max(0, id.lastIndexOf('.')));
  return map === '' || ['running', 'asked'].includes(found.get(map) ?? 'open');
}

function settled(status: StepStatus, going: boolean): StepStatus {
  return status === 'running' && !going ? 'open' : status;
}

/** Every step of a trace with its path, those within maps too. */
export function flatRuns(runs: readonly StepRun[]): StepRun[] {
  return runs.flatMap((run) => [run, ...run.items.flatMap((item) => flatRuns(item.steps))]);
}
