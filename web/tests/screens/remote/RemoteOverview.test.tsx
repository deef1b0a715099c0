import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import type { Target } from '~/screens/agents/targets';
import { exporterVariables } from '~/screens/remote/environment';
import { RemoteOverview } from '~/screens/remote/RemoteOverview';

import { draw } from '../../render';
import { serve } from '../../server';

const TARGET = { id: 't1', name: 'travel', kind: 'remote', active_version: { definition: { note: 'In the shop' } } } as unknown as Target;
const COUNTS = { since: '2026-01-01', spans: 1200, waiting_spans: 0, rejected_spans: 0, left_out_spans: 0, dropped_traces: 0 };
const page = (items: unknown[], total: number) => ({ body: { items, total, page: 1, size: 1, pages: total } });

test('it says what came last, how much, and how to send', async () => {
  serve({ 'GET /api/executions': page([{ id: 'e1', created_at: '2026-01-02T03:04:05Z' }], 10_001), 'GET /api/workspace/ingestion': { body: COUNTS } });
  draw(<RemoteOverview target={TARGET} />);
  expect(await screen.findByText('more than 10,000')).toBeInTheDocument();
  expect(screen.getByText('In the shop')).toBeInTheDocument();
  expect(screen.getByText(/Jan 2, 2026/)).toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'Variables of the exporter' })).toHaveTextContent('OTEL_SERVICE_NAME=travel');
  expect(await screen.findByText('1,200')).toBeInTheDocument();
});

test('who sees some targets only does not see what came for the others', async () => {
  serve({ 'GET /api/executions': page([], 0), 'GET /api/workspace/ingestion': { status: 403, body: { status: 403, code: 'not_permitted', title: 'Forbidden', detail: 'no', errors: null } } });
  draw(<RemoteOverview target={TARGET} />);
  expect(await screen.findByText('Only who sees all targets sees these figures.')).toBeInTheDocument();
  expect(await screen.findByText('none yet')).toBeInTheDocument();
});

test('a name is nothing that a shell reads', () => {
  expect(exporterVariables('https://aloi.example.org', 'shop')).toContain('OTEL_SERVICE_NAME=shop\n');
  expect(exporterVariables('https://aloi.example.org', "a $(rm -rf) 'b'")).toContain(String.raw`OTEL_SERVICE_NAME='a $(rm -rf) '\''b'\'''`);
});
