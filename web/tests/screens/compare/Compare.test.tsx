import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import Compare from '~/screens/compare/Compare';
import { pText, signedPoints } from '~/screens/compare/figuresText';

import { draw } from '../../render';
import { serve } from '../../server';
import { aRun, ME, page } from '../runs/samples';

const pair = (case_key: string, change: string, may_be_noise = false) => ({ case_key, trial: 0, change, a: 'pass', b: 'fail', score_a: 1, score_b: 0, may_be_noise, why: null });
const comparison = {
  run_a: 'a',
  run_b: 'b',
  configuration: [
    { what: 'judge', a: 'x', b: 'y' },
    { what: 'target max_tokens', a: '1', b: '2' },
    { what: 'something new', a: '', b: 'z' },
  ],
  figures: { compared: 40, better: 0, worse: 8, cases_better: 0, cases_worse: 8, difference: -0.2, interval: [-0.3, -0.1], judge_noise: false, test: [0.008, 0.004], scores: [-0.1, 0.02, -5, 0.001, [-0.14, -0.06]] },
  newly_in_error: 1,
  pairs: [pair('w', 'worse', true), pair('u', 'unchanged')],
  added: ['brand-new'],
  removed: [],
  titles: { 'brand-new': 'A case that is new' },
};

function open(address: string) {
  serve({
    ...ME,
    'GET /api/eval/runs': { body: page([aRun({ id: 'a' }), aRun({ id: 'b' })]) },
    'GET /api/eval/runs/a': { body: aRun({ id: 'a' }) },
    'GET /api/eval/runs/b': { body: aRun({ id: 'b' }) },
    'GET /api/eval/compare': { body: comparison },
  });
  return draw(<Compare />, address);
}

test('the difference, its interval and what it means', async () => {
  open('/compare?a=a&b=b');
  const headline = await screen.findByRole('region', { name: 'Difference' });
  expect(headline).toHaveTextContent('−20');
  expect(headline).toHaveTextContent('points, B − A (95% CI −30 to −10)');
  expect(headline).toHaveTextContent('B is worse than A beyond what chance explains (mid-p 0.004).');
  expect(headline).toHaveTextContent('0 better, 8 worse of 40 compared · 1 newly in error · mean score −0.1 (95% CI −0.14 to −0.06)');
});

test('configuration first, then changes with a mark of noise; unchanged is folded', async () => {
  open('/compare?a=a&b=b');
  expect(await screen.findByRole('row', { name: 'Judge x y' })).toBeInTheDocument();
  expect(screen.getByRole('row', { name: 'Target: max tokens 1 2' })).toBeInTheDocument();
  expect(screen.getByRole('row', { name: 'something new z' })).toBeInTheDocument();
  const cases = screen.getByRole('list', { name: 'Cases' });
  expect(within(cases).getByRole('button', { name: /^w pass fail/ })).toHaveTextContent('may be judge noise');
  expect(within(cases).getByText('A case that is new')).toBeInTheDocument();
  expect(within(cases).queryByRole('button', { name: /^u pass/ })).toBeNull();
  await userEvent.click(within(cases).getByRole('button', { name: /Unchanged/ }));
  expect(within(cases).getByRole('button', { name: /^u pass/ })).toBeInTheDocument();
});

test('A and B are swapped in the address', async () => {
  const { router } = open('/compare?a=a&b=b');
  await userEvent.click(await screen.findByRole('button', { name: 'Swap A and B' }));
  expect(router.state.location.search).toBe('?a=b&b=a');
});

test('a missing side is chosen', async () => {
  const { router } = open('/compare?b=b');
  expect(await screen.findByRole('heading', { name: 'Choose two runs' })).toBeInTheDocument();
  await userEvent.click(screen.getByRole('combobox', { name: 'A, the baseline' }));
  await userEvent.click((await screen.findAllByRole('option'))[0] as HTMLElement);
  expect(router.state.location.search).toBe('?a=a&b=b');
});

test.each([
  [0.125, '+13'],
  [-0.2, '−20'],
  [0.001, '0'],
  [-0.001, '0'],
])('%d in points is %s', (share, text) => {
  expect(signedPoints(share, 'en')).toBe(text);
});

test.each([
  [0.0495, '0.050'],
  [0.0005, '0.001'],
  [1e-9, '< 0.001'],
])('a p-value of %d reads %s', (p, text) => {
  expect(pText(p, 'en')).toBe(text);
});
