import { type Change, diffLines, diffWordsWithSpace } from 'diff';

/** One line of one side; `parts` are its text, what only this side has being marked as removed or added. */
export interface Line {
  number: number;
  parts: Change[];
}

/** A line beside its counterpart: both where nothing changed (`same`) or a line was rewritten, else one alone. */
export interface LinePair {
  before: Line | null;
  after: Line | null;
  same: boolean;
}

/** Lines in order. `folded`: they are unchanged and far from any change, so they need not be shown. */
export interface Stretch {
  pairs: LinePair[];
  folded: boolean;
}

/** Past this time everything is told as changed. */
const MOST_MS = 300;
/** Unchanged lines that stay in sight round a change. */
const CONTEXT = 3;
/** Longer lines are marked as a whole. */
const MOST_FOR_WORDS = 4000;
/** Two lines that share less of their words are no rewriting of one another. */
const LEAST_SHARED = 0.3;

/** The lines of two texts beside one another, in stretches. Equal texts are one folded stretch. */
export function lineDiff(before: string, after: string): Stretch[] {
  return inStretches(pairsOf(before, after));
}

function pairsOf(before: string, after: string): LinePair[] {
  const changes = diffLines(`${before}\n`, `${after}\n`, { timeout: MOST_MS }) ?? [part(`${before}\n`, 'removed'), part(`${after}\n`, 'added')];
  const pairs: LinePair[] = [];
  const numbers = { before: 1, after: 1 };
  let removed: string[] = [];
  const flush = (added: string[]) => {
    pairs.push(...rewritten(removed, added, numbers));
    numbers.before += removed.length;
    numbers.after += added.length;
    removed = [];
  };
  for (const change of changes) {
    const lines = change.value.split('\n').slice(0, -1);
    if (change.removed) removed = lines;
    else if (change.added) flush(lines);
    else {
      flush([]);
      pairs.push(...lines.map((text) => same(text, numbers.before++, numbers.after++)));
    }
  }
  flush([]);
  return pairs;
}

function same(text: string, before: number, after: number): LinePair {
  const parts = [part(text)];
  return { before: { number: before, parts }, after: { number: after, parts }, same: true };
}

/** Lines that were taken out and lines that came in their place; like ones stand beside one another. */
function rewritten(removed: string[], added: string[], from: { before: number; after: number }): LinePair[] {
  const pairs: LinePair[] = [];
  const [first, second] = [removed.map((text, index) => whole(text, from.before + index, 'removed')), added.map((text, index) => whole(text, from.after + index, 'added'))];
  let [left, right] = [0, 0];
  while (left < removed.length || right < added.length) {
    const words = left < removed.length && right < added.length ? shared(removed[left] ?? '', added[right] ?? '') : null;
    const [before, after] = [first[left] ?? null, second[right] ?? null];
    if (words && before && after) {
      pairs.push({ before: { ...before, parts: words.filter(({ added: on }) => !on) }, after: { ...after, parts: words.filter(({ removed: off }) => !off) }, same: false });
      left += 1;
      right += 1;
    } else if (before && (!after || removed.length - left >= added.length - right)) {
      pairs.push({ before, after: null, same: false });
      left += 1;
    } else {
      pairs.push({ before: null, after, same: false });
      right += 1;
    }
  }
  return pairs;
}

/** The words of two lines that are much alike; null where they are not. */
function shared(before: string, after: string): Change[] | null {
  if (before.length + after.length > MOST_FOR_WORDS) return null;
  const words = diffWordsWithSpace(before, after);
  const kept = words.filter(({ added, removed }) => !added && !removed).reduce((sum, { value }) => sum + value.trim().length, 0);
  return kept >= LEAST_SHARED * Math.max(before.trim().length, after.trim().length, 1) ? words : null;
}

function whole(text: string, number: number, what: 'added' | 'removed'): Line {
  return { number, parts: [part(text, what)] };
}

function part(value: string, what?: 'added' | 'removed'): Change {
  return { value, added: what === 'added', removed: what === 'removed', count: 1 };
}

function inStretches(pairs: LinePair[]): Stretch[] {
  const near = pairs.map(() => false);
  pairs.forEach((pair, index) => {
    if (!pair.same) near.fill(true, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  });
  const stretches: Stretch[] = [];
  pairs.forEach((pair, index) => {
    const folded = near[index] !== true;
    const last = stretches.at(-1);
    if (last && last.folded === folded) last.pairs.push(pair);
    else stretches.push({ pairs: [pair], folded });
  });
  // A fold of one line takes as much room as the line.
  return stretches.map((stretch) => ({ ...stretch, folded: stretch.folded && stretch.pairs.length > 1 }));
}
