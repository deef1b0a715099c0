import { act, fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';

import { CaseFiles } from '~/screens/attachments/CaseFiles';
import type { Attachment } from '~/screens/attachments/files';

import { draw } from '../../render';
import { serve } from '../../server';
import { catchUploads } from '../../xhr';
import { me } from '../datasets/samples';
import { bill, dot } from './samples';

const busy = vi.fn();

function Form({ initial, refusal }: { initial: Attachment[]; refusal?: string }) {
  const [files, setFiles] = useState(initial);
  return <CaseFiles value={files} onChange={setFiles} onBusy={busy} error={undefined} disabled={false} refusal={refusal} />;
}

async function shown(initial: Attachment[] = [], refusal?: string) {
  serve({ 'GET /api/auth/me': { body: me } });
  const sent = catchUploads();
  draw(<Form initial={initial} refusal={refusal} />);
  const button = await screen.findByRole('button', { name: 'Choose files' });
  await vi.waitFor(() => expect(button).not.toHaveAttribute('aria-disabled'));
  const choose = (...files: File[]) => userEvent.upload(screen.getByLabelText('Choose files', { selector: 'input' }), files);
  return { sent, choose };
}

const file = (name: string, content = 'x') => new File([content], name, { type: 'application/pdf' });

test('a file is sent at once, shows how far it is, and is then on the case', async () => {
  const { sent, choose } = await shown();
  await choose(file('bill.pdf'));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(sent[0]?.address).toBe('POST /api/eval/attachments');
  expect(sent[0]?.file?.name).toBe('bill.pdf');
  act(() => sent[0]?.progress(1, 4));
  expect(screen.getByRole('progressbar', { name: 'Sending bill.pdf' })).toHaveAttribute('aria-valuenow', '25');
  expect(busy).toHaveBeenLastCalledWith(true);
  act(() => sent[0]?.answer({ status: 201, body: bill }));
  expect(await screen.findByRole('link', { name: 'bill.pdf' })).toHaveAttribute('href', `/api/eval/attachments/${bill.hash}/content?name=bill.pdf`);
  expect(screen.getByText('PDF, 2.3 MB')).toBeInTheDocument();
  expect(screen.queryByRole('progressbar')).toBeNull();
  expect(busy).toHaveBeenLastCalledWith(false);
});

test('what is not taken says why, and can be dismissed', async () => {
  const { sent, choose } = await shown();
  await choose(file('dot.png', '<svg/>'));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  act(() => sent[0]?.answer({ status: 422, body: { status: 422, detail: 'the file dot.png is named like a PNG image, and its content is text', code: 'c' } }));
  expect(await screen.findByRole('alert')).toHaveTextContent('its content is text');
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss dot.png' }));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('what is too large is not sent', async () => {
  const { sent, choose } = await shown();
  const large = file('large.pdf');
  Object.defineProperty(large, 'size', { value: 10 * 1024 * 1024 + 1 });
  await choose(large);
  expect(await screen.findByRole('alert')).toHaveTextContent('10.5 MB is the most');
  expect(sent).toHaveLength(0);
});

test('no answer is told', async () => {
  const { sent, choose } = await shown();
  await choose(file('bill.pdf'));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  act(() => sent[0]?.onerror?.());
  expect(await screen.findByRole('alert')).toBeInTheDocument();
});

test('one after the other, and one that is stopped is left out', async () => {
  const { sent, choose } = await shown();
  await choose(file('a.pdf'), file('b.pdf'));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  await userEvent.click(screen.getByRole('button', { name: 'Stop sending a.pdf' }));
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  act(() => sent[1]?.answer({ status: 201, body: { ...bill, name: 'b.pdf' } }));
  expect(await screen.findByRole('link', { name: 'b.pdf' })).toBeInTheDocument();
  expect(screen.queryByText('a.pdf')).toBeNull();
});

test('a second file of a name gets another one, the same file is there once', async () => {
  const { sent, choose } = await shown([dot]);
  await choose(file('dot.png'), file('dot.png'));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  act(() => sent[0]?.answer({ status: 201, body: { ...dot, hash: 'c'.repeat(64) } }));
  expect(await screen.findByRole('link', { name: 'dot (2).png' })).toBeInTheDocument();
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  act(() => sent[1]?.answer({ status: 200, body: dot }));
  await vi.waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  expect(screen.getAllByRole('link', { name: /^dot/ })).toHaveLength(2);
});

test('a file is removed', async () => {
  await shown([bill, dot]);
  await userEvent.click(screen.getByRole('button', { name: 'Remove bill.pdf' }));
  expect(screen.queryByRole('link', { name: 'bill.pdf' })).toBeNull();
  expect(screen.getByRole('link', { name: 'dot.png' })).toBeInTheDocument();
});

test('a file is dropped, or pasted', async () => {
  const { sent } = await shown();
  fireEvent.drop(screen.getByText('Drop files here, or choose them'), { dataTransfer: { files: [file('dropped.pdf')] } });
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  act(() => sent[0]?.answer({ status: 201, body: { ...bill, name: 'dropped.pdf' } }));
  fireEvent.paste(document.body, { clipboardData: { files: [file('pasted.png')] } });
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]?.file?.name).toBe('pasted.png');
});

test('too many, and too much', async () => {
  const many = Array.from({ length: 11 }, (_, number) => ({ ...dot, name: `${number}.png` }));
  await shown(many);
  expect(screen.getByRole('alert')).toHaveTextContent('A case has 10 files at most');
});

test('together they are bounded', async () => {
  await shown([{ ...bill, size: 26 * 1024 * 1024 }]);
  expect(screen.getByRole('alert')).toHaveTextContent('Together they are 27.3 MB, and a case may have 26.2 MB');
});

test('that the target takes none is said beside the picker, and a warning once there are some', async () => {
  await shown([], 'It takes no files.');
  expect(screen.getByText('It takes no files.')).toBeInTheDocument();
  expect(screen.queryByText('These files would not reach the target')).toBeNull();
});

test('files that would not reach the target are a warning', async () => {
  await shown([bill], 'It takes no files.');
  expect(screen.getByRole('status')).toHaveTextContent('These files would not reach the targetIt takes no files.');
});
