import { layersOf, type Layers, withoutDetours } from '~/screens/workflows/graph/layers';
import type { Need, Step } from '~/screens/workflows/steps';

/** Pixels. */
export const NODE = { width: 176, height: 54 };
const GAP = { across: 28, down: 46, bend: 24 };
/** Round the steps of a map, and above them its own name. */
const FRAME = { side: 16, head: 54, foot: 16 };
const DUMMY_WIDTH = 12;
const SWEEPS = 6;

export interface Placed {
  step: Step;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Where the steps within a map stand, in the coordinates of the whole; null for all other steps. */
  inner: Layout | null;
}

export interface Edge {
  from: string;
  to: string;
  label: string | null;
  /** From the foot of one to the head of the other, by way of the gaps between what stands in the layers in between. */
  points: Point[];
}

export type Point = readonly [x: number, y: number];

export interface Layout {
  nodes: Placed[];
  edges: Edge[];
  width: number;
  height: number;
}

/** A step, or the place where a long edge crosses a layer. */
interface Cell {
  key: string;
  width: number;
  height: number;
  step: Step | null;
}

/** Steps in layers from top to bottom: each stands below all that it follows on (Sugiyama's method). */
export function layOut(steps: readonly Step[]): Layout {
  const inner = new Map(steps.filter((step) => step.inner.length > 0).map((step) => [step.id, layOut(step.inner)]));
  const needs = withoutDetours(steps);
  const cells = new Map(steps.map((step) => [step.id, cellOf(step, inner.get(step.id))]));
  const { rows, links } = withDummies(layersOf(steps, needs), needs, cells);
  order(rows, links);
  const centres = place(rows, links);
  const tops = topsOf(rows, links, centres);
  const left = Math.min(0, ...rows.flat().map((cell) => (centres.get(cell.key) ?? 0) - cell.width / 2));
  const at = (cell: Cell): Point => [(centres.get(cell.key) ?? 0) - left, tops.get(cell.key) ?? 0];
  const nodes = rows.flat().flatMap((cell) => (cell.step ? [placed(cell.step, cell, at(cell), inner.get(cell.step.id))] : []));
  return {
    nodes,
    edges: edgesOf(needs, rows.flat(), at),
    width: Math.max(0, ...nodes.map(({ x, width }) => x + width), ...rows.flat().map((cell) => at(cell)[0] + cell.width / 2)),
    height: Math.max(0, ...nodes.map(({ y, height }) => y + height)),
  };
}

function cellOf(step: Step, inner: Layout | undefined): Cell {
  if (!inner) return { key: step.id, step, ...NODE };
  return { key: step.id, step, width: Math.max(NODE.width, inner.width + 2 * FRAME.side), height: FRAME.head + inner.height + FRAME.foot };
}

function placed(step: Step, { width, height }: Cell, [centre, y]: Point, inner: Layout | undefined): Placed {
  const x = centre - width / 2;
  return { step, x, y, width, height, inner: inner ? shifted(inner, x + (width - inner.width) / 2, y + FRAME.head) : null };
}

function shifted({ nodes, edges, ...size }: Layout, dx: number, dy: number): Layout {
  return {
    ...size,
    nodes: nodes.map((node) => ({ ...node, x: node.x + dx, y: node.y + dy, inner: node.inner && shifted(node.inner, dx, dy) })),
    edges: edges.map((edge) => ({ ...edge, points: edge.points.map(([x, y]) => [x + dx, y + dy] as const) })),
  };
}

type Links = Map<string, { above: string[]; below: string[] }>;

/** The rows of cells, with a dummy in each layer that an edge passes; and what is linked to what, row by row. */
function withDummies(layers: Layers, needs: ReadonlyMap<string, Need[]>, cells: ReadonlyMap<string, Cell>): { rows: Cell[][]; links: Links } {
  const rows: Cell[][] = Array.from({ length: Math.max(0, ...layers.values()) + 1 }, () => []);
  const links: Links = new Map();
  const add = (cell: Cell, layer: number) => {
    rows[layer]?.push(cell);
    links.set(cell.key, { above: [], below: [] });
  };
  for (const [id, cell] of cells) add(cell, layers.get(id) ?? 0);
  for (const [to, sources] of needs) {
    for (const { step: from } of sources) {
      const [first, last] = [layers.get(from) ?? 0, layers.get(to) ?? 0];
      const between = Array.from({ length: Math.max(0, last - first - 1) }, (_, index) => first + 1 + index);
      between.forEach((layer) => add({ key: dummyKey(from, to, layer), step: null, width: DUMMY_WIDTH, height: NODE.height }, layer));
      const chain = [from, ...between.map((layer) => dummyKey(from, to, layer)), to];
      chain.slice(1).forEach((key, index) => {
        const before = chain[index] ?? from;
        links.get(key)?.above.push(before);
        links.get(before)?.below.push(key);
      });
    }
  }
  return { rows, links };
}

const dummyKey = (from: string, to: string, layer: number) => `${from}\n${to}\n${layer}`;

/** Sorts each row by where the neighbours of its cells stand, down and up in turn, so that few edges cross. */
function order(rows: Cell[][], links: Links): void {
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const down = sweep % 2 === 0;
    const places = new Map(rows.flatMap((row) => row.map(({ key }, index) => [key, index - row.length / 2] as const)));
    for (const row of down ? rows : [...rows].reverse()) {
      const wanted = new Map(row.map(({ key }) => [key, mean(neighbours(links, key, down), places) ?? places.get(key) ?? 0]));
      row.sort((a, b) => (wanted.get(a.key) ?? 0) - (wanted.get(b.key) ?? 0));
      row.forEach(({ key }, index) => places.set(key, index - row.length / 2));
    }
  }
}

function neighbours(links: Links, key: string, down: boolean): string[] {
  const { above = [], below = [] } = links.get(key) ?? {};
  return down ? above : below;
}

function mean(keys: readonly string[], places: ReadonlyMap<string, number>): number | null {
  if (keys.length === 0) return null;
  return keys.reduce((sum, key) => sum + (places.get(key) ?? 0), 0) / keys.length;
}

/** The middle of each cell: as near to its neighbours' as the cells beside it allow. */
function place(rows: Cell[][], links: Links): Map<string, number> {
  const centres = new Map<string, number>();
  for (const row of rows) apart(row, row.map(() => 0), centres);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    const down = sweep % 2 === 0;
    for (const row of down ? rows : [...rows].reverse()) {
      const wanted = row.map(({ key }) => mean(neighbours(links, key, down), centres) ?? centres.get(key) ?? 0);
      apart(row, wanted, centres);
    }
  }
  return centres;
}

/**
 * Sets the middles of a row: in its order, far enough apart, and with the least sum of squared distances from what is
 * wanted. Without the distances between cells that is isotonic regression; pooling adjacent violators solves it.
 */
function apart(row: readonly Cell[], wanted: readonly number[], centres: Map<string, number>): void {
  const offsets = row.map(() => 0);
  row.forEach((cell, index) => {
    const before = row[index - 1];
    if (before) offsets[index] = (offsets[index - 1] ?? 0) + (before.width + cell.width) / 2 + GAP.across;
  });
  const pools: { sum: number; count: number }[] = [];
  row.forEach((_, index) => {
    let pool = { sum: (wanted[index] ?? 0) - (offsets[index] ?? 0), count: 1 };
    for (let last = pools.at(-1); last && last.sum / last.count > pool.sum / pool.count; last = pools.at(-1)) {
      pools.pop();
      pool = { sum: pool.sum + last.sum, count: pool.count + last.count };
    }
    pools.push(pool);
  });
  const solved = pools.flatMap(({ sum, count }) => Array.from({ length: count }, () => sum / count));
  row.forEach(({ key }, index) => centres.set(key, (solved[index] ?? 0) + (offsets[index] ?? 0)));
}

/**
 * The upper edge of each cell: below whatever of the rows above it follows on, or stands in its way. Where an edge only
 * passes, it does so beside the steps of that row, and takes no more room than it must.
 */
function topsOf(rows: readonly Cell[][], links: Links, centres: ReadonlyMap<string, number>): Map<string, number> {
  const tops = new Map<string, number>();
  const above: Cell[] = [];
  const bottom = (cell: Cell, gap: number) => {
    const before = above.filter((other) => links.get(cell.key)?.above.includes(other.key) || overlap(cell, other, centres));
    return Math.max(0, ...before.map((other) => (tops.get(other.key) ?? 0) + other.height + gap));
  };
  for (const row of rows) {
    const steps = row.filter(({ step }) => step !== null);
    for (const cell of steps) tops.set(cell.key, bottom(cell, GAP.down));
    const rowTop = Math.min(...steps.map(({ key }) => tops.get(key) ?? 0));
    for (const cell of row.filter(({ step }) => step === null)) {
      const top = Math.max(rowTop, bottom(cell, GAP.bend));
      tops.set(cell.key, top);
      cell.height = Math.max(0, rowTop + NODE.height - top);
    }
    above.push(...row);
  }
  return tops;
}

/** Whether two cells would share a column, or nearly. */
function overlap(a: Cell, b: Cell, centres: ReadonlyMap<string, number>): boolean {
  const distance = Math.abs((centres.get(a.key) ?? 0) - (centres.get(b.key) ?? 0));
  return distance < (a.width + b.width) / 2 + GAP.across / 2;
}

function edgesOf(needs: ReadonlyMap<string, Need[]>, cells: readonly Cell[], at: (cell: Cell) => Point): Edge[] {
  const byKey = new Map(cells.map((cell) => [cell.key, cell]));
  const dummies = (from: string, to: string) => cells.filter(({ key }) => key.startsWith(`${from}\n${to}\n`));
  return [...needs].flatMap(([to, sources]) =>
    sources.flatMap(({ step: from, way }) => {
      const [start, end] = [byKey.get(from), byKey.get(to)];
      if (!start || !end) return [];
      const [x, y] = at(start);
      const bends = dummies(from, to).flatMap((cell): Point[] => {
        const [across, down] = at(cell);
        return [[across, down], [across, down + cell.height]];
      });
      return [{ from, to, label: way, points: [[x, y + start.height], ...bends, at(end)] }];
    }),
  );
}
