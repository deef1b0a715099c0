import type { Schemas } from '~/api/client';

export type Trace = Schemas['Trace'];
export type Span = Schemas['Span'];

/** A span with what was done within it, by start. */
export interface SpanNode {
  span: Span;
  depth: number;
  children: SpanNode[];
}

export interface SpanTree {
  roots: SpanNode[];
  /** Every node by its span's id. */
  nodes: Map<string, SpanNode>;
  start: number;
  /** Nanoseconds from the first start to the last end; at least 1. */
  length: number;
}

/** The spans of a trace as a tree. A span whose parent is not there, or lies within itself, is a root. */
export function spanTree(trace: Trace): SpanTree {
  const spans = [...trace.spans].sort((a, b) => a.start_ns - b.start_ns);
  const nodes = new Map(spans.map((span) => [span.span_id, { span, depth: 0, children: [] as SpanNode[] }]));
  const roots: SpanNode[] = [];
  const cut = circles(nodes);
  for (const node of nodes.values()) {
    const parent = cut.has(node) ? undefined : nodes.get(node.span.parent_id ?? '');
    (parent ? parent.children : roots).push(node);
  }
  setDepths(roots);
  const start = spans[0]?.start_ns ?? 0;
  const end = spans.reduce((latest, span) => Math.max(latest, span.end_ns), start);
  return { roots, nodes, start, length: Math.max(1, end - start) };
}

/** One span of each circle of parents. Each span is walked up from once only, or a deep trace would take for ever. */
function circles(nodes: Map<string, SpanNode>): Set<SpanNode> {
  const cut = new Set<SpanNode>();
  const walked = new Set<SpanNode>();
  for (const node of nodes.values()) {
    const way = new Set<SpanNode>();
    let above: SpanNode | undefined = node;
    while (above && !walked.has(above) && !way.has(above)) {
      way.add(above);
      above = nodes.get(above.span.parent_id ?? '');
    }
    if (above && way.has(above)) cut.add(above);
    for (const each of way) walked.add(each);
  }
  return cut;
}

/** Without recursion, since a trace may come from anywhere and be deep. */
function setDepths(roots: SpanNode[]): void {
  const waiting = [...roots];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    for (const child of node.children) {
      child.depth = node.depth + 1;
      waiting.push(child);
    }
  }
}

/** The nodes in reading order, without what lies under a folded one. */
export function visibleNodes(roots: SpanNode[], folded: ReadonlySet<string>): SpanNode[] {
  const visible: SpanNode[] = [];
  const waiting = [...roots].reverse();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    visible.push(node);
    if (folded.has(node.span.span_id)) continue;
    for (let index = node.children.length - 1; index >= 0; index -= 1) waiting.push(node.children[index] as SpanNode);
  }
  return visible;
}

/** Failed spans, the deepest first: the cause, which the spans above it often only repeat. Each message once. */
export function failures(tree: SpanTree): SpanNode[] {
  const failed = [...tree.nodes.values()].filter(({ span }) => span.error !== null).sort((a, b) => b.depth - a.depth);
  const first = new Map([...failed].reverse().map((node) => [node.span.error, node]));
  return failed.filter((node) => first.get(node.span.error) === node);
}

/** The ids of what a span lies in. */
export function ancestors(tree: SpanTree, node: SpanNode): string[] {
  const ids: string[] = [];
  let parent = tree.nodes.get(node.span.parent_id ?? '');
  while (parent && parent.depth < node.depth) {
    ids.push(parent.span.span_id);
    parent = parent.depth === 0 ? undefined : tree.nodes.get(parent.span.parent_id ?? '');
  }
  return ids;
}
