import type { Schemas } from '~/api/client';

export type Pair = Schemas['Pair'];
export type SectionName = Schemas['Change'] | 'added' | 'removed';

export type Row =
  | { kind: 'head'; section: SectionName; count: number; folded: boolean }
  | { kind: 'pair'; section: SectionName; pair: Pair }
  | { kind: 'key'; section: SectionName; key: string };

/** What got worse first; what did not change last. */
const ORDER: Schemas['Change'][] = ['worse', 'error', 'better', 'not_comparable'];
/** Folded until somebody opens it. */
export const FOLDED: ReadonlySet<SectionName> = new Set(['unchanged']);

/** A comparison as one list of rows: each section under its heading, empty ones left out. */
export function rowsOf({ pairs, added, removed }: Schemas['Comparison'], folded: ReadonlySet<SectionName>): Row[] {
  const byChange = new Map<SectionName, Pair[]>();
  for (const pair of pairs) {
    const same = byChange.get(pair.change);
    if (same) same.push(pair);
    else byChange.set(pair.change, [pair]);
  }
  const ofPairs = (section: Schemas['Change']) => withHead(section, (byChange.get(section) ?? []).map((pair) => ({ kind: 'pair' as const, section, pair })), folded);
  const ofKeys = (section: 'added' | 'removed', keys: readonly string[]) => withHead(section, keys.map((key) => ({ kind: 'key' as const, section, key })), folded);
  return [...ORDER.flatMap(ofPairs), ...ofKeys('added', added), ...ofKeys('removed', removed), ...ofPairs('unchanged')];
}

function withHead(section: SectionName, rows: Row[], folded: ReadonlySet<SectionName>): Row[] {
  if (rows.length === 0) return [];
  const head: Row = { kind: 'head', section, count: rows.length, folded: folded.has(section) };
  return head.folded ? [head] : [head, ...rows];
}
