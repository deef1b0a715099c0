import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';

import { InvokeForm } from '~/screens/agents/runner/InvokeForm';
import type { Runner } from '~/screens/agents/runner/useRunner';
import type { Target } from '~/screens/agents/targets';
import type { Attachment } from '~/screens/attachments/files';
import { NOTHING_TYPED } from '~/ui/typedValue';

import { draw } from '../../../render';
import { serve } from '../../../server';
import { catchUploads } from '../../../xhr';
import { bill } from '../../attachments/samples';
import { me, page } from '../../datasets/samples';

const TARGET = { id: 't', kind: 'agent', name: 'bot', active: 1 } as Target;
const IDLE = { running: false, stop: () => {}, run: () => {} } as unknown as Runner;
const PERSON = { name: 'approve', description: '', kind: 'human', output_schema: null, side_effect: false, input_schema: null, example: null };
const run = vi.fn();

function Form({ initial, target }: { initial: Attachment[]; target: Target }) {
  const [input, setInput] = useState(NOTHING_TYPED);
  const [files, setFiles] = useState(initial);
  return <InvokeForm target={target} input={input} onInput={setInput} files={files} onFiles={setFiles} runner={IDLE} onRun={run} />;
}

async function shown(parts: object, initial: Attachment[] = [], target = TARGET) {
  run.mockReset();
  serve({
    'GET /api/auth/me': { body: me },
    'GET /api/targets/t/components': { body: { tools: [], skipped: [], refuses_attachments: null, ...parts } },
    'GET /api/targets/t/versions': { body: page([]) },
    'GET /api/targets/t/versions/1': { body: { number: 1, definition: {} } },
  });
  const sent = catchUploads();
  draw(<Form initial={initial} target={target} />);
  const button = await screen.findByRole('button', { name: 'Run' });
  await vi.waitFor(() => expect(button).not.toHaveAttribute('aria-disabled'));
  return { sent, button };
}

test('a file is chosen and sent with the input, once it is there', async () => {
  const { sent, button } = await shown({});
  await userEvent.type(screen.getByRole('textbox', { name: /^Input/ }), 'Look');
  await userEvent.upload(await screen.findByLabelText('Choose files', { selector: 'input' }), new File(['x'], 'bill.pdf'));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  expect(button).toBeDisabled();
  act(() => sent[0]?.answer({ status: 201, body: bill }));
  expect(await screen.findByRole('link', { name: 'bill.pdf' })).toBeInTheDocument();
  await userEvent.click(button);
  expect(run).toHaveBeenCalledWith({ input: 'Look', version: null, attachments: [bill] });
});

test('where none is chosen, none is sent', async () => {
  const { button } = await shown({});
  await userEvent.type(screen.getByRole('textbox', { name: /^Input/ }), 'Look');
  await userEvent.click(button);
  expect(run).toHaveBeenCalledWith({ input: 'Look', version: null });
});

test('where the target takes no files, none are asked for', async () => {
  await shown({ refuses_attachments: 'it takes none' });
  await vi.waitFor(() => expect(screen.queryByText('Choose files')).toBeNull());
});

test('files that a version does not take stay, with a warning', async () => {
  await shown({ tools: [PERSON] }, [bill], { ...TARGET, kind: 'workflow' });
  expect(await screen.findByText(/asks people/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'bill.pdf' })).toBeInTheDocument();
});
