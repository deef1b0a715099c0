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
  for (const node of nodes.values()) {
    const parent = parentOf(node, nodes);
    (parent ? parent.children : roots).push(node);
  }
  setDepths(roots);
  const start = Math.min(...spans.map((span) => span.start_ns));
  const end = Math.max(...spans.map((span) => span.end_ns));
  return { roots, nodes, start: spans.length > 0 ? start : 0, length: Math.max(1, spans.length > 0 ? end - start : 1) };
}

function parentOf(node: SpanNode, nodes: Map<string, SpanNode>): SpanNode | undefined {
  const seen = new Set([node]);
  const parent = nodes.get(node.span.parent_id ?? '');
  for (let above = parent; above; above = nodes.get(above.span.parent_id ?? '')) {
    if (seen.has(above)) return undefined;
    seen.add(above);
  }
  return parent;
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
    if (!folded.has(node.span.span_id)) waiting.push(...[...node.children].reverse());
  }
  return visible;
}

/** Failed spans, the deepest first: the cause, which the spans above it often only repeat. Each message once. */
export function failures(tree: SpanTree): SpanNode[] {
  const failed = [...tree.nodes.values()].filter(({ span }) => span.error !== null).sort((a, b) => b.depth - a.depth);
  return failed.filter((node, index) => failed.findIndex(({ span }) => span.error === node.span.error) === index);
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
