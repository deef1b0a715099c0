import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, Outlet } from 'react-router';
import { expect, test } from 'vitest';

import CompareVersions from '~/screens/agents/versions/CompareVersions';
import { VersionList } from '~/screens/agents/VersionList';
import type { Target } from '~/screens/agents/targets';

import { drawRoutes } from '../../../render';
import { serve } from '../../../server';

const TARGET = { id: 't1', name: 'Helper', kind: 'agent', active: 1, versions: 3 } as Target;
const LONG = Array.from({ length: 30 }, (_, index) => `Rule ${index}`).join('\n');
const version = (number: number, definition: object, note: string | null = null) => ({ id: `v${number}`, target_id: 't1', number, kind: 'agent', definition: { kind: 'agent', ...definition }, note, content_hash: 'abcdef0123456789', created_at: '2026-01-02T03:04:05Z' });
const VERSIONS = [version(3, { model: 'b', instructions: `${LONG}\nAnd be kind.` }, 'Kinder'), version(2, { model: 'a', instructions: LONG, limits: { steps: 3 } }), version(1, { model: 'a', instructions: LONG })];

function drawAt(address: string, element = <CompareVersions />) {
  serve({
    'GET /api/auth/me': { body: { role: 'viewer' } },
    'GET /api/targets/t1/versions': { body: { items: VERSIONS, total: 3, page: 1, size: 200, pages: 1 } },
    ...Object.fromEntries(VERSIONS.map((each) => [`GET /api/targets/t1/versions/${each.number}`, { body: each }])),
  });
  return drawRoutes(createMemoryRouter([{ path: '/', element: <Outlet context={{ value: TARGET, etag: '' }} />, children: [{ path: '*', element }] }], { initialEntries: [address] }));
}

test('the fields that differ come first, then the lines, the unchanged ones folded', async () => {
  drawAt('/compare?a=1&b=3');
  const fields = await screen.findByRole('table', { name: 'Fields that differ' });
  expect(within(fields).getAllByRole('rowheader').map((field) => field.textContent)).toEqual(['Modelchanged', 'Instructionschanged']);
  expect(screen.getByText('Kinder')).toBeInTheDocument();
  const lines = screen.getByRole('region', { name: 'Lines of Version 1 and Version 3' });
  expect(lines).not.toHaveTextContent('Rule 10');
  await userEvent.click(within(lines).getAllByRole('button', { name: /unchanged lines/ })[0] as HTMLElement);
  expect(lines).toHaveTextContent('Rule 10');
});

test('without numbers in the address the newest is held against the one before it; both can be swapped', async () => {
  const { router } = drawAt('/compare');
  expect(await screen.findByText('3 fields differ')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Swap the two' }));
  expect(router.state.location.search).toBe('?a=3&b=2');
});

test('two versions are chosen in the list; the older one stands first', async () => {
  drawAt('/list', <VersionList target={TARGET} />);
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Choose version 3 for comparing' }));
  expect(screen.queryByRole('link', { name: 'See what changed' })).toBeNull();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Choose version 1 for comparing' }));
  expect(screen.getByRole('link', { name: 'See what changed' })).toHaveAttribute('href', '/agents/t1/versions/compare?a=1&b=3');
});
