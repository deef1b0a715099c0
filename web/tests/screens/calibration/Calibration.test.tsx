import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';

import type { Schemas } from '~/api/client';
import Calibration from '~/screens/calibration/Calibration';

import { draw } from '../../render';
import { serve } from '../../server';
import { aRun, ME, page } from '../runs/samples';

type Judge = Schemas['Calibration'];
const RUN = {
  run_id: 'r', target_name: 'support', target_version: 2, dataset_name: 'Refunds', reason: null, decided: 60, judged: 60, exact: 0, observed: 0.67, rate: 0.65, interval: [0.47, 0.8] as [number, number],
  judged_observed: 0.67, judged_rate: 0.65, judged_interval: [0.47, 0.8] as [number, number], status: 'ok' as const,
};
const JUDGE = {
  judge: { hash: 'a'.repeat(64), evaluator: 'tone', kind: 'llm_judge', spec: { kind: 'llm_judge', rubric: 'No rude word.', target_path: null }, model: { model: 'openai:gpt', base_url: null, api_key_env: null, settings: {} }, prompt_hash: 'p', samples: 3 },
  labelled: 60, left_out: 2, true_passes: 38, false_passes: 2, false_fails: 1, true_fails: 19,
  sensitivity: { count: 38, total: 39, rate: 0.974, interval: [0.868, 0.995] }, specificity: { count: 19, total: 21, rate: 0.905, interval: [0.71, 0.97] },
  kappa: 0.89, kappa_interval: [0.77, 1.01], self_agreement: 0.5, fleiss_kappa: 0.5, pairwise_agreement: 0.8, unanimous: false, resampled: 60, disagreed: 6, older_runs: 0, corrected: [RUN],
} as unknown as Judge;

function open(judges: Judge[], address = '/') {
  const seen = serve({ ...ME, 'GET /api/eval/calibration': { body: page(judges) }, 'GET /api/eval/runs/r/state': { body: aRun({ id: 'r' }) }, 'GET /api/targets': { body: page([]) }, 'GET /api/eval/datasets': { body: page([]) } });
  return { seen, ...draw(<Calibration />, address) };
}

test('a judge against people, against itself, and what that makes of a rate', async () => {
  open([JUDGE]);
  const card = await screen.findByRole('region', { name: 'tone' });
  expect(card).toHaveTextContent('97%95% CI 87–100%Of 39 results that people pass, the judge passes 38.');
  expect(card).toHaveTextContent('Of 21 results that people fail, the judge fails 19.');
  expect(card).toHaveTextContent('0.8995% CI 0.77 to 1');
  expect(card).toHaveTextContent('Its samples disagreed on 6 of 60 results.');
  expect(card).toHaveTextContent('60 labelled results are compared. 2 more are left out');
  expect(within(card).getByRole('table', { name: /corrected/ })).toHaveTextContent('65% (95% CI 47–80%)');
  expect(card).toHaveTextContent('No rude word.');
  expect(card).not.toHaveTextContent('target_path');
});

test('with too few labels it says how many are wanting, and where to give them', async () => {
  const few = { ...JUDGE, sensitivity: { ...JUDGE.sensitivity, total: 19 }, specificity: { ...JUDGE.specificity, total: 5 }, corrected: [{ ...RUN, status: 'too_few_labels', rate: null, interval: null, judged_rate: null, judged_interval: null }] } as Judge;
  open([few]);
  expect(await screen.findByText(/label 1 more result that passes and 15 more that fail/)).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Label results' })).toHaveAttribute('href', '/runs/r/labelling');
  expect(screen.getByText(/Too few labels/)).toBeInTheDocument();
});

test('filters stand in the address and are asked for', async () => {
  const { seen, router } = open([JUDGE], '/?run=r&target=t');
  expect(await screen.findByRole('link', { name: 'Only support v2 · Refunds' })).toHaveAttribute('href', '/runs/r');
  expect(seen.some(({ url }) => url.includes('/calibration?') && url.includes('target_id=t') && url.includes('run_id=r'))).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Look at all runs' }));
  await waitFor(() => expect(router.state.location.search).toBe('?target=t'));
});

test('before anything is labelled it says how to begin', async () => {
  open([], '/?run=r');
  expect(await screen.findByRole('heading', { name: 'No judge was measured yet' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Label results' })).toHaveAttribute('href', '/runs/r/labelling');
});
