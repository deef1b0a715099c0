import { expect, test } from 'vitest';

import { layOut, type Layout } from '~/screens/workflows/graph/layout';
import { stepsOf } from '~/screens/workflows/steps';

const chain = (...names: string[]) => names.map((name, index) => ({ name, kind: 'transform', value: index === 0 ? 1 : `{{ steps.${names[index - 1]} }}` }));
const rows = ({ nodes }: Layout) => Object.fromEntries(nodes.map(({ step, y }) => [step.id, y]));
const overlaps = ({ nodes }: Layout) =>
  nodes.flatMap((a, index) => nodes.slice(index + 1).filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height).map((b) => `${a.step.id}/${b.step.id}`));

test('a step stands below all that it follows on', () => {
  const layout = layOut(stepsOf({ steps: [...chain('a', 'b', 'c'), { name: 'side', kind: 'transform', value: '{{ steps.a }}' }, { name: 'end', kind: 'transform', value: '{{ steps.c }} {{ steps.side }}' }] }));
  const at = rows(layout);
  expect(at.a).toBeLessThan(at.b as number);
  expect(at.b).toBe(at.side);
  expect(at.c).toBeLessThan(at.end as number);
  expect(overlaps(layout)).toEqual([]);
});

test('an edge that a longer way tells as well is left out, unless it names a way', () => {
  const steps = [...chain('a', 'b', 'c'), { name: 'd', kind: 'tool', value: '{{ steps.a }} {{ steps.c }}' }, { name: 'e', kind: 'tool', when: { a: 'yes' }, value: '{{ steps.d }}' }];
  const edges = layOut(stepsOf({ steps })).edges.map(({ from, to, label }) => [from, to, label].join(' ').trim());
  expect(edges).toEqual(['a b', 'b c', 'c d', 'd e', 'a e yes']);
});

test('a long edge goes round what stands between', () => {
  const steps = [{ name: 'a', kind: 'branch' }, { name: 'b', kind: 'tool', when: { a: 'x' } }, { name: 'c', kind: 'tool', value: '{{ steps.b }}' }, { name: 'd', kind: 'tool', when: { a: 'y' }, needs: ['c'] }];
  const layout = layOut(stepsOf({ steps }));
  const long = layout.edges.find(({ from, to }) => from === 'a' && to === 'd');
  const inside = long?.points.filter(([x, y]) => layout.nodes.some((node) => x > node.x && x < node.x + node.width && y > node.y && y < node.y + node.height));
  expect(long?.points.length).toBeGreaterThan(2);
  expect(inside).toEqual([]);
  for (const [x] of long?.points ?? []) expect(x).toBeLessThanOrEqual(layout.width);
});

test('the steps of a map stand within it', () => {
  const layout = layOut(stepsOf({ steps: [{ name: 'first', kind: 'http' }, { name: 'each', kind: 'map', items: '{{ steps.first }}', steps: chain('x', 'y') }] }));
  const [, map] = layout.nodes;
  expect(map?.inner?.nodes.map(({ step }) => step.id)).toEqual(['each.x', 'each.y']);
  for (const node of map?.inner?.nodes ?? []) {
    expect(node.x).toBeGreaterThan(map?.x ?? 0);
    expect(node.y + node.height).toBeLessThan((map?.y ?? 0) + (map?.height ?? 0));
  }
});

test('a circle is drawn as far as it goes, and nothing is drawn as nothing', () => {
  const circle = [{ name: 'a', kind: 'tool', value: '{{ steps.c }}' }, { name: 'b', kind: 'tool', value: '{{ steps.a }}' }, { name: 'c', kind: 'tool', value: '{{ steps.b }}' }];
  const layout = layOut(stepsOf({ steps: circle }));
  expect(layout.nodes).toHaveLength(3);
  expect(layout.edges).toHaveLength(2);
  expect(layOut([])).toEqual({ nodes: [], edges: [], width: 0, height: 0 });
});

test('many steps do not overlap', () => {
  const steps = Array.from({ length: 40 }, (_, index) => ({ name: `s${index}`, kind: 'tool', needs: index === 0 ? [] : [`s${Math.floor(index / 3)}`, `s${Math.floor(index / 2)}`].filter((name) => name !== `s${index}`) }));
  expect(overlaps(layOut(stepsOf({ steps })))).toEqual([]);
});
