import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';

import CasesGuide from '~/screens/help/CasesGuide';

import { draw } from '../../render';

test('the guide of the documentation is shown, with the part that forms lead to', () => {
  draw(<CasesGuide />, '/help/cases');
  expect(screen.getByRole('heading', { level: 1, name: 'Write good cases, and read their results' })).toBeInTheDocument();
  expect(screen.getByRole('heading', { name: 'What makes a good case' })).toHaveAttribute('id', 'what-makes-a-good-case');
  expect(screen.getByRole('article')).not.toHaveTextContent('](');
});
