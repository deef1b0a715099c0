import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { CommonKinds } from '~/screens/evaluators/CommonKinds';
import { RubricHelp } from '~/screens/evaluators/RubricHelp';

import { draw } from '../../render';
import { serve } from '../../server';
import { ME } from '../runs/samples';

const KINDS = ['contains', 'exact_match', 'json_path', 'llm_judge', 'latency'].map((kind) => ({ kind, title: `About ${kind}.`, doc: '', schema: {}, allowed: true }));

test('four kinds come first, each in a line; all are behind', async () => {
  serve({ ...ME, 'GET /api/eval/evaluator-kinds': { body: KINDS } });
  const onChoose = vi.fn();
  draw(<CommonKinds onChoose={onChoose} />);
  const common = await screen.findByRole('list', { name: 'What most cases want' });
  expect(within(common).getAllByRole('button').map((button) => button.firstChild?.textContent)).toEqual(['Exact match', 'Contains', 'JSON path', 'LLM judge']);
  expect(screen.queryByText('About latency.')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Any other kind' }));
  await userEvent.click(screen.getByRole('button', { name: /Latency/ }));
  expect(onChoose).toHaveBeenCalledWith(KINDS[4]);
});

test('the good rubric can be taken as a beginning, where nothing is written', async () => {
  const onUse = vi.fn();
  draw(<RubricHelp empty onUse={onUse} />);
  expect(screen.getByRole('region', { name: 'Graded by luck' })).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Begin with this one' }));
  expect(onUse).toHaveBeenCalledWith(expect.stringContaining('0.5: it names one of the two.'));
});
