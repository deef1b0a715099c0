import { Button } from '@mantine/core';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';

import { ApiError } from '~/api/errors';
import { ConfirmDialog } from '~/ui/ConfirmDialog';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { JsonView } from '~/ui/JsonView';
import { PageHeader } from '~/ui/PageHeader';
import { RateInterval } from '~/ui/RateInterval';
import { RoleGate } from '~/ui/RoleGate';
import { RunProgress } from '~/ui/RunProgress';
import { StatusBadge } from '~/ui/StatusBadge';
import { difference, TextDiff } from '~/ui/TextDiff';
import { Tokens } from '~/ui/Values';
import { VerdictBadge } from '~/ui/VerdictBadge';

import { draw } from '../render';
import { serve } from '../server';

test('verdicts and states have a word and an icon', () => {
  const { container } = draw(
    <>
      <VerdictBadge verdict="fail" />
      <StatusBadge status="running" />
    </>,
  );
  expect(screen.getByText('fail')).toBeInTheDocument();
  expect(screen.getByText('running')).toBeInTheDocument();
  expect(container.querySelectorAll('svg')).toHaveLength(2);
});

test('a rate tells its interval in whole percents', () => {
  draw(<RateInterval passed={8} failed={2} rate={0.8} interval={[0.4902, 0.9433]} judgeNoise />);
  expect(screen.getByText('8/10 passed (95% CI 49–94%) incl. judge noise')).toBeInTheDocument();
});

test('a rate of nothing is none, not 0', () => {
  draw(<RateInterval passed={0} failed={0} rate={null} interval={[0, 1]} />);
  expect(screen.getByText('no decided case')).toBeInTheDocument();
});

test('progress speaks', () => {
  draw(<RunProgress total={1200} passed={100} failed={15} errors={0} />);
  const bar = screen.getByRole('progressbar', { name: 'Progress of the run' });
  expect(bar).toHaveAttribute('aria-valuenow', '115');
  expect(bar).toHaveAttribute('aria-valuetext', '115 of 1,200, 100 passed, 15 failed');
});

test('progress of an empty run is no fault', () => {
  draw(<RunProgress total={0} passed={0} failed={0} errors={0} />);
  expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuetext', '0 of 0');
});

test('tokens of which one part is unknown are unknown', () => {
  draw(<Tokens input={3} output={null} />);
  expect(screen.getByText('unknown')).toBeInTheDocument();
});

test('markup in a value is shown as text', () => {
  draw(<JsonView label="Answer" value={'<img src=x onerror=alert(1)>'} />);
  expect(screen.getByRole('region', { name: 'Answer' })).toHaveTextContent('<img src=x onerror=alert(1)>');
});

test('a long text is cut until it is wanted whole', async () => {
  draw(<JsonView label="Answer" value={'x'.repeat(30_000)} />);
  expect(screen.getByRole('region').textContent).toHaveLength(20_000);
  await userEvent.click(screen.getByRole('button', { name: 'Show the whole text (30,000 characters)' }));
  expect(screen.getByRole('region').textContent).toHaveLength(30_000);
});

test('differences are marked on both sides', () => {
  const { container } = draw(<TextDiff expected="refund in 14 days" actual="refund in 30 days" />);
  expect([...container.querySelectorAll('del')].map((part) => part.textContent)).toEqual(['14']);
  expect([...container.querySelectorAll('ins')].map((part) => part.textContent)).toEqual(['30']);
});

test('the order of keys is no difference', () => {
  draw(<TextDiff expected={{ a: 1, b: 2 }} actual={{ b: 2, a: 1 }} />);
  expect(screen.getByText('No difference.')).toBeInTheDocument();
});

test('texts too long to compare are marked whole', () => {
  const lines = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}`).join('\n');
  const changes = difference(lines('a'), lines('b'));
  expect(changes.filter(({ removed }) => removed).map(({ value }) => value).join('')).toContain('a 19999');
});

test('a page names its tab', () => {
  draw(<PageHeader title="Refunds" crumbs={[{ label: 'Datasets', to: '/datasets' }]} />);
  expect(document.title).toBe('Refunds · Aloi');
  expect(screen.getByRole('link', { name: 'Datasets' })).toHaveAttribute('href', '/datasets');
});

test('an error tells what the server said, and can be tried again', async () => {
  const retry = vi.fn();
  draw(<ErrorPanel error={new ApiError(409, 'conflict', 'Conflict', 'the run has ended')} onRetry={retry} />);
  expect(screen.getByRole('alert')).toHaveTextContent('That is not possible now');
  expect(screen.getByRole('alert')).toHaveTextContent('the run has ended');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(retry).toHaveBeenCalledOnce();
});

test('a deletion is confirmed', async () => {
  const [confirm, close] = [vi.fn(), vi.fn()];
  draw(<ConfirmDialog opened title="Delete it?" text="It is gone then." onConfirm={confirm} onClose={close} />);
  expect(await screen.findByRole('dialog', { name: 'Delete it?' })).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(confirm).toHaveBeenCalledOnce();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(close).toHaveBeenCalledOnce();
});

test.each([
  ['viewer', false],
  ['editor', true],
  ['owner', true],
])('a %s may edit: %s', async (role, may) => {
  const edit = vi.fn();
  const seen = serve({ 'GET /api/auth/me': { body: { workspace: { id: '1', name: 'w' }, name: 'ada', role, kind: 'member' } } });
  draw(<RoleGate role="editor">{(gate) => <Button onClick={edit} {...gate}>{'Edit'}</Button>}</RoleGate>);
  await vi.waitFor(() => expect(seen).toHaveLength(1));
  const button = await screen.findByRole('button', { name: 'Edit' });
  await vi.waitFor(() => expect(button.getAttribute('aria-disabled')).toBe(may ? null : 'true'));
  await userEvent.click(button);
  expect(edit).toHaveBeenCalledTimes(may ? 1 : 0);
  if (!may) expect(await screen.findByText(/needs the role Editor/)).toBeInTheDocument();
});
