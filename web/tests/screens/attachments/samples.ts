import type { Schemas } from '~/api/client';

export const HASH = 'a'.repeat(64);

export const bill: Schemas['Attachment'] = { name: 'bill.pdf', hash: HASH, media_type: 'application/pdf', size: 2_300_000 };
export const dot: Schemas['Attachment'] = { name: 'dot.png', hash: 'b'.repeat(64), media_type: 'image/png', size: 812 };

export const entryOf = (file: Schemas['Attachment'], uses: { cases?: number; runs?: number } = {}): Schemas['AttachmentEntry'] => ({
  ...file,
  created_at: '2026-11-30T10:00:00Z',
  created_by: 'ada@example.org',
  cases: uses.cases ?? 0,
  runs: uses.runs ?? 0,
});
