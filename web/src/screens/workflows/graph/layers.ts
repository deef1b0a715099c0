import type { Need, Step } from '~/screens/workflows/steps';

/** Which layer each step stands in, by its id; 0 is the top. */
export type Layers = Map<string, number>;

/**
 * What each step follows on, as far as it is to be drawn: an edge that a longer way tells as well is left out, unless
 * it has a branch's way to name, and so are the edges that would close a circle.
 */
export function withoutDetours(steps: readonly Step[]): Map<string, Need[]> {
  const needs = withoutCircles(steps);
  const behind = reach(steps, needs);
  return new Map(
    steps.map(({ id }) => {
      const all = needs.get(id) ?? [];
      return [id, all.filter(({ step, way }) => way !== null || !all.some((other) => other.step !== step && behind.get(other.step)?.has(step)))];
    }),
  );
}

/** The layer of each step: one below the lowest that it follows on. */
export function layersOf(steps: readonly Step[], needs: ReadonlyMap<string, Need[]>): Layers {
  const layers: Layers = new Map();
  const layer = (id: string): number => {
    const known = layers.get(id);
    if (known !== undefined) return known;
    const own = Math.max(-1, ...(needs.get(id) ?? []).map(({ step }) => layer(step))) + 1;
    layers.set(id, own);
    return own;
  };
  steps.forEach(({ id }) => layer(id));
  return layers;
}

/** Follows the needs of each step, and drops the one that leads back to where it is. */
function withoutCircles(steps: readonly Step[]): Map<string, Need[]> {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const kept = new Map<string, Need[]>();
  const visit = (step: Step, way: ReadonlySet<string>) => {
    if (kept.has(step.id)) return;
    const on = new Set(way).add(step.id);
    const needs = step.needs.filter((need) => byId.has(need.step) && !on.has(need.step));
    for (const need of needs) {
      const source = byId.get(need.step);
      if (source) visit(source, on);
    }
    kept.set(step.id, needs);
  };
  steps.forEach((step) => visit(step, new Set()));
  return kept;
}

/** All that each step follows on, near and far. */
function reach(steps: readonly Step[], needs: ReadonlyMap<string, Need[]>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const visit = (id: string): Set<string> => {
    const known = found.get(id);
    if (known) return known;
    const all = new Set<string>();
    found.set(id, all);
    for (const { step } of needs.get(id) ?? []) {
      all.add(step);
      visit(step).forEach((far) => all.add(far));
    }
    return all;
  };
  steps.forEach(({ id }) => visit(id));
  return found;
}
