import type { Json, JsonObject } from '~/ui/schema-form/schema';
import { isObject } from '~/ui/schema-form/values';

/** What a step follows on. `way`: the branch's ways on which it is taken; null where it just uses or needs the other. */
export interface Need {
  step: string;
  way: string | null;
}

/** A step as a definition has it. `id`: its name, for one within a map that of the map before it: `each.inner`. */
export interface Step {
  id: string;
  name: string;
  kind: string;
  description: string;
  needs: Need[];
  /** The steps that a map does for each item. */
  inner: Step[];
  fields: JsonObject;
}

/** `steps.NAME` in a template or a JSONPath, and `steps['NAME']`. */
const REFERENCE = /\bsteps\s*(?:\.([A-Za-z][A-Za-z0-9_-]*)|\[\s*['"]([^'"]+)['"]\s*\])/g;

/** The steps of a definition. What is half written, without a name say, is left out. */
export function stepsOf(definition: unknown, within = ''): Step[] {
  const whole = definition as Json | undefined;
  const found = isObject(whole) && Array.isArray(whole.steps) ? whole.steps.filter(isObject) : [];
  const named = found.filter(({ name }) => typeof name === 'string' && name !== '');
  const names = new Set(named.map(({ name }) => String(name)));
  return named.map((fields) => {
    const name = String(fields.name);
    const id = `${within}${name}`;
    return {
      id,
      name,
      kind: typeof fields.kind === 'string' ? fields.kind : '',
      description: typeof fields.description === 'string' ? fields.description : '',
      needs: needsOf(fields, name, names).map(({ step, way }) => ({ step: within + step, way })),
      inner: stepsOf(fields, `${id}.`),
      fields,
    };
  });
}

/** Every step, those within maps after their map. */
export function flatSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [step, ...flatSteps(step.inner)]);
}

/** The step of a definition that a step of a trace is: `each[2].inner` is `each.inner`. */
export function idOfPath(path: string): string {
  return path.replace(/\[\d+\]/g, '');
}

/** What a step follows on, among the names beside it: its branch, what it needs, and whatever its texts refer to. */
function needsOf(fields: JsonObject, own: string, names: ReadonlySet<string>): Need[] {
  const ways = isObject(fields.when) ? Object.entries(fields.when) : [];
  const listed = Array.isArray(fields.needs) ? fields.needs : [fields.needs];
  const used = [...listed.filter((name) => typeof name === 'string'), ...referencesIn(fields)];
  const found = new Map<string, string | null>(used.map((name) => [name, null]));
  for (const [branch, way] of ways) found.set(branch, (Array.isArray(way) ? way : [way]).map(String).join(', '));
  return [...found].filter(([name]) => name !== own && names.has(name)).map(([step, way]) => ({ step, way }));
}

function referencesIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [...value.matchAll(REFERENCE)].map(([, plain, quoted]) => plain ?? quoted ?? '');
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  return isObject(value) ? Object.values(value).flatMap(referencesIn) : [];
}
