import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import type { PolicyState } from '~/screens/gate/gateQueries';
import { PolicyView } from '~/screens/gate/PolicyView';

import { draw } from '../../render';
import { aPolicy, UNDECIDED } from './samples';

const RUN = aPolicy().run;
if (RUN === null) throw new Error('the sample has a run');

test.each([
  ['allowed', {}, ['9 of 10 passed.']],
  ['below', { decision: { ruling: 'below', passed: 5, failed: 5, errors: 0, threshold: 0.8 }, run: { ...RUN, passed: 5, failed: 5 } }, ['5 of 10 passed.', 'Improve the target, and run the new version.']],
  ['undecided', { decision: UNDECIDED, standing: 'missing', run: null }, ['Version 3 has no complete run on this dataset.']],
  ['undecided', { decision: UNDECIDED, standing: 'stale' }, ['The dataset changed since version 3 ran on it. Then: 9 of 10 passed.']],
  ['undecided', { decision: { ...UNDECIDED, passed: 7, errors: 3 }, run: { ...RUN, passed: 7, failed: 0, errors: 3 } }, ['7 of 10 passed, 3 errors.', 'The errors could change the answer: retry them.']],
  ['undecided', { decision: { ...UNDECIDED, passed: 7, errors: 1 }, run: { ...RUN, passed: 7, failed: 2, errors: 1, deleted: true } }, ['7 of 10 passed, 1 error.', 'deleted since.', 'which takes a new run.']],
  ['off', { enabled: false }, ['9 of 10 passed.']],
] as [string, Partial<PolicyState>, string[]][])('%s: %j', (word, changes, said) => {
  draw(<PolicyView policy={aPolicy(changes)} version={3} />);
  const policy = screen.getByRole('listitem');
  expect(policy).toHaveTextContent('Refunds at least 80%');
  for (const part of [word, ...said]) expect(policy).toHaveTextContent(part);
});
