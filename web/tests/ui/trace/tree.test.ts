import { expect, test } from 'vitest';

import { ancestors, failures, spanTree, visibleNodes, type Span } from '~/ui/trace/tree';

const span = (span_id: string, parent_id: string | null, start_ns: number, end_ns: number, error: string | null = null): Span => ({ span_id, parent_id, name: span_id, start_ns, end_ns, attributes: {}, error });
const trace = (...spans: Span[]) => ({ trace_id: 't', shows_tools: true, left_out: 0, spans });
const names = (nodes: { span: Span }[]) => nodes.map((node) => node.span.span_id);

test('children stand under their parent, by start', () => {
  const tree = spanTree(trace(span('late', 'root', 30, 40), span('early', 'root', 10, 20), span('root', null, 0, 50)));
  expect(names(visibleNodes(tree.roots, new Set()))).toEqual(['root', 'early', 'late']);
  expect(tree.length).toBe(50);
});

test('what lies under a folded span is not seen', () => {
  const tree = spanTree(trace(span('root', null, 0, 9), span('a', 'root', 1, 2), span('b', 'a', 1, 2), span('next', null, 3, 4)));
  expect(names(visibleNodes(tree.roots, new Set(['a'])))).toEqual(['root', 'a', 'next']);
});

test('a missing parent and a circle lose no span', () => {
  const tree = spanTree(trace(span('orphan', 'gone', 0, 1), span('x', 'y', 2, 3), span('y', 'x', 2, 3)));
  expect(names(visibleNodes(tree.roots, new Set())).sort()).toEqual(['orphan', 'x', 'y']);
});

test('a trace of nothing is no fault', () => {
  expect(spanTree(trace())).toMatchObject({ roots: [], start: 0, length: 1 });
});

test('the deepest error comes first, and each message once', () => {
  const tree = spanTree(trace(span('top', null, 0, 9, 'broke'), span('middle', 'top', 1, 8, 'broke'), span('cause', 'middle', 2, 3, 'no such file')));
  expect(names(failures(tree))).toEqual(['cause', 'middle']);
});

test('a span knows what it lies in', () => {
  const tree = spanTree(trace(span('top', null, 0, 9), span('middle', 'top', 1, 8), span('leaf', 'middle', 2, 3)));
  const leaf = tree.nodes.get('leaf');
  expect(leaf && ancestors(tree, leaf)).toEqual(['middle', 'top']);
});

test('what hangs on a circle hangs on it still', () => {
  const tree = spanTree(trace(span('leaf', 'x', 0, 1), span('x', 'y', 2, 3), span('y', 'x', 2, 3)));
  expect(names(visibleNodes(tree.roots, new Set()))).toEqual(['x', 'leaf', 'y']);
});

test('fifty thousand levels, each with an error of its own, are no fault', () => {
  const deep = Array.from({ length: 50_000 }, (_, index) => span(`s${index}`, index > 0 ? `s${index - 1}` : null, index, 60_000, `error ${index}`));
  const tree = spanTree(trace(...deep.reverse()));
  expect(tree.nodes.get('s49999')?.depth).toBe(49_999);
  expect(failures(tree)[0]?.span.span_id).toBe('s49999');
  expect(visibleNodes(tree.roots, new Set())).toHaveLength(50_000);
});

test('fifty thousand spans on one level are no fault', () => {
  const tree = spanTree(trace(span('root', null, 0, 9), ...Array.from({ length: 50_000 }, (_, index) => span(`s${index}`, 'root', 1, 2, 'broke'))));
  expect(visibleNodes(tree.roots, new Set())).toHaveLength(50_001);
  expect(failures(tree)).toHaveLength(1);
});
