import { expect, test } from 'vitest';

import { datasetsOf, ordered, ratePoints, versionsOf } from '~/screens/agents/rates/rateSeries';
import type { Run } from '~/screens/runs/runQueries';

const run = (id: string, finished: string | null, rate: number | null = 0.5) =>
  ({ id, target_version: 2, finished_at: finished, rate, interval: [0.2, 0.8], status: 'completed', spec: { complete: true }, summary: { passed: 1, failed: 1, errors: 0, judge_noise: false }, dataset_id: id[0], dataset_name: `Set ${id[0]}` }) as unknown as Run;

test('runs that came to a rate, oldest first', () => {
  const points = ratePoints([run('b', '2026-01-03T00:00:00Z'), run('a', '2026-01-02T00:00:00Z'), run('c', null), run('d', '2026-01-01T00:00:00Z', null)]);
  expect(points.map(({ id, low, high, version }) => [id, low, high, version])).toEqual([
    ['a', 0.2, 0.8, 2],
    ['b', 0.2, 0.8, 2],
  ]);
});

test('each dataset once, the last evaluated first', () => {
  expect(datasetsOf([run('x1', null), run('y1', null), run('x2', null)])).toEqual([
    { id: 'x', name: 'Set x' },
    { id: 'y', name: 'Set y' },
  ]);
});

test('by version, those of one version by time', () => {
  const of = (id: string, version: number, finished: string) => ({ id, version, finished }) as ReturnType<typeof ratePoints>[number];
  const points = [of('a', 2, '1'), of('b', 1, '2'), of('c', 2, '3')];
  expect(ordered(points, 'version').map(({ id }) => id)).toEqual(['b', 'a', 'c']);
  expect(ordered(points, 'time').map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(versionsOf(points)).toEqual([1, 2]);
});
