import { Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type Range } from 'yaml';

import { type Step, stepsOf } from '~/screens/workflows/steps';
import type { Json, JsonObject } from '~/ui/schema-form/schema';
import { isObject } from '~/ui/schema-form/values';

/** What a definition says first, and what a step does. */
const FIRST = ['kind', 'name', 'description', 'needs', 'when', 'input_schema', 'steps', 'output'];
const FIRST_OF_STEP = ['name', 'kind', 'description', 'needs', 'when'];
/** More of it is certainly a mistake, or a text that only takes time to unfold. */
const MOST_ALIASES = 50;

/** Lines from 1, both included. */
export interface Lines {
  from: number;
  to: number;
}

/** A definition as somebody writes it: what it says so far, and where in the text that stands. */
export interface Source {
  steps: Step[];
  /** The line of a field, by its JSON pointer, or else of the nearest that is there; null where nothing is. */
  lineOf: (pointer: string) => number | null;
  /** The lines of a step, by its id. */
  linesOf: (id: string) => Lines | null;
  /** The id of the step that a pointer leads into. */
  stepAt: (pointer: string) => string | null;
}

/** Reads YAML, and so JSON. Null while the text is neither. */
export function readSource(text: string): Source | null {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  if (document.errors.length > 0) return null;
  const value = valueOf(document);
  if (value === undefined) return null;
  const places = placesOf(value);
  const line = (offset: number) => counter.linePos(offset).line;
  return {
    steps: stepsOf(value),
    lineOf: (pointer) => {
      const found = find(document.contents, partsOf(pointer));
      return found ? line(found.start[0]) : null;
    },
    linesOf: (id) => {
      const range = find(document.contents, places.get(id) ?? null)?.whole;
      return range ? { from: line(range[0]), to: line(Math.max(range[0], range[1] - 1)) } : null;
    },
    stepAt: (pointer) => stepIn(places, partsOf(pointer)),
  };
}

function valueOf(document: Document): Json | undefined {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES }) as Json;
  } catch {
    return undefined;
  }
}

type Path = readonly (string | number)[];

function partsOf(pointer: string): Path {
  return pointer.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Where each step stands in the definition: `each.inner` -> steps, 2, steps, 0. */
function placesOf(value: Json | undefined, path: Path = [], within = ''): Map<string, Path> {
  const steps = isObject(value) && Array.isArray(value.steps) ? value.steps : [];
  return new Map(
    steps.flatMap((step, index) => {
      if (!isObject(step) || typeof step.name !== 'string') return [];
      const [place, id] = [[...path, 'steps', index], within + step.name];
      return [[id, place] as const, ...placesOf(step, place, `${id}.`)];
    }),
  );
}

/** The innermost step that a place lies in. */
function stepIn(places: ReadonlyMap<string, Path>, parts: Path): string | null {
  const inside = [...places].filter(([, place]) => place.every((part, index) => String(part) === String(parts[index])));
  return inside.sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null;
}

/** The node at a path, or the last one on the way to it. `start`: of its name, where it has one. */
function find(root: unknown, path: Path | null): { start: Range; whole: Range } | null {
  let node = root as Node | null;
  let found = rangesOf(node, node);
  for (const part of path ?? []) {
    const next = within(node, String(part));
    if (!next) break;
    node = next.value;
    found = rangesOf(next.name, next.value) ?? found;
  }
  return path ? found : null;
}

function within(node: Node | null, part: string): { name: Node | null; value: Node | null } | null {
  if (isSeq(node)) {
    const item = node.items[Number(part)] as Node | undefined;
    return item ? { name: item, value: item } : null;
  }
  if (!isMap(node)) return null;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
  return pair ? { name: pair.key as Node, value: pair.value as Node | null } : null;
}

function rangesOf(name: Node | null, value: Node | null): { start: Range; whole: Range } | null {
  const start = name?.range ?? value?.range;
  return start ? { start, whole: value?.range ?? start } : null;
}

/** A definition as a text to edit: what names a thing first, long texts in blocks, a line between steps. */
export function sourceOf(definition: JsonObject): string {
  const document = new Document(inOrder(definition, FIRST));
  const steps = document.get('steps');
  const items = isSeq(steps) ? steps.items : [];
  for (const step of items.slice(1)) if (isMap(step)) step.spaceBefore = true;
  return document.toString({ lineWidth: 0, blockQuote: 'literal' });
}

function inOrder(object: JsonObject, first: readonly string[]): JsonObject {
  const place = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);
  const sorted = Object.entries(object).sort(([a], [b]) => place(a) - place(b));
  return Object.fromEntries(sorted.map(([name, value]) => [name, name === 'steps' && Array.isArray(value) ? value.map((step) => (isObject(step) ? inOrder(step, FIRST_OF_STEP) : step)) : value]));
}
