import { ApiError } from '~/api/errors';

/** Why an evaluation was not started: for what is not simulated, or is and is not there. */
export type RefusalKind = 'person' | 'effect' | 'stranger';

export interface Refusal {
  kind: RefusalKind;
  /** The components and where: keys of cases; null for the dataset itself. */
  places: { component: string; cases: (string | null)[] }[];
  /** How many places more there are. */
  more: number;
}

// The server says it in one sentence, which these read; what they do not know is shown as it came.
const SAYS: [RefusalKind, RegExp][] = [
  ['person', /^a run asks no person, and these steps are not simulated: (.+); simulate/s],
  ['effect', /^what changes the world is not simulated: (.+); simulate/s],
  ['stranger', /^there are simulations of what the target has not: (.+); its tools and steps are/s],
];
const PLACE = /(?:^|, )([^\s,]+) \((?:case (.+?)|the dataset or the run)\)(?=, |$| and \d+ others?$)/gs;
const MORE = / and (\d+) others?$/;

/** What the server's refusal to start names; null for another error. */
export function refusalOf(error: unknown): Refusal | null {
  if (!(error instanceof ApiError) || error.errors?.length) return null;
  for (const [kind, pattern] of SAYS) {
    const list = pattern.exec(error.detail)?.[1];
    const places = placesOf(list ?? '');
    if (list !== undefined && places.size > 0) return { kind, places: [...places].map(([component, cases]) => ({ component, cases })), more: Number(MORE.exec(list)?.[1] ?? 0) };
  }
  return null;
}

export function isRefusedFor(error: unknown, kind: RefusalKind): boolean {
  return refusalOf(error)?.kind === kind;
}

function placesOf(list: string): Map<string, (string | null)[]> {
  const places = new Map<string, (string | null)[]>();
  for (const [, component = '', key] of list.matchAll(PLACE)) places.set(component, [...(places.get(component) ?? []), key ?? null]);
  return places;
}
