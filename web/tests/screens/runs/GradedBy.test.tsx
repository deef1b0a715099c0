import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import { GradedBy } from '~/screens/runs/GradedBy';

import { draw } from '../../render';
import { serve } from '../../server';

const PATH = 'GET /api/eval/runs/r1/evaluators';
const saved = { evaluator_id: 'e1', name: 'Names the period', weight: 2, spec: { kind: 'contains', text: '30 days' }, version: 4 };
const own = { evaluator_id: null, name: 'Signs off', weight: 0, spec: { kind: 'contains', text: 'Sincerely' }, version: null };

const summary = () => screen.getByText('What graded it');

test('what graded a run is asked for once somebody looks, with the versions of saved ones', async () => {
  const seen = serve({ [PATH]: { body: [saved, own] } });
  draw(<GradedBy runId="r1" />);
  expect(seen).toHaveLength(0);
  await userEvent.click(summary());
  const [first, second] = await screen.findAllByRole('listitem');
  expect(first).toHaveTextContent(/Names the period.*version 4.*weight 2.*text: 30 days/);
  expect(within(first as HTMLElement).getByRole('link')).toHaveAttribute('href', '/evaluators/e1/history');
  expect(second).toHaveTextContent(/Signs off.*informs without deciding.*text: Sincerely/);
  expect(within(second as HTMLElement).queryByRole('link')).toBeNull();
});

test('a run without any says what graded it all the same', async () => {
  serve({ [PATH]: { body: [] } });
  draw(<GradedBy runId="r1" />);
  await userEvent.click(summary());
  expect(await screen.findByText(/each case was graded by what it expects/)).toBeInTheDocument();
});
