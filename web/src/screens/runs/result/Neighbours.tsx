import { Button } from '@mantine/core';
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';

import type { Schemas } from '~/api/client';
import { resultAddress } from '~/screens/runs/resultAddress';
import { type Result, type ResultFilter, resultsQuery, type Run } from '~/screens/runs/runQueries';

/** Who comes by a link that names no place is looked for among the first results. */
const LOOKED_THROUGH = 200;

/** The results before and after this one, under the filter that it was found by. */
export function Neighbours({ run, result }: { run: Run; result: Schemas['CaseResult'] }) {
  const { t } = useTranslation('runs');
  const [address] = useSearchParams();
  const verdict = (['pass', 'fail', 'error'] as const).find((one) => one === address.get('verdict'));
  const filter: ResultFilter = { verdict, q: address.get('q') ?? undefined };
  const at = usePlace(run, result, filter, address.get('at'));
  const previous = useResultAt(run.id, filter, at === null ? -1 : at - 1);
  const next = useResultAt(run.id, filter, at === null ? -1 : at + 1);
  if (at === null) return null;
  const to = (other: Result | undefined, place: number) => (other ? resultAddress(run.id, other, { ...filter, at: place }) : null);
  return (
    <>
      <Step to={to(previous, at - 1)} label={t('result.previous')} left={<IconArrowLeft size={16} aria-hidden />} />
      <Step to={to(next, at + 1)} label={t('result.next')} right={<IconArrowRight size={16} aria-hidden />} />
    </>
  );
}

interface StepProps {
  to: string | null;
  label: string;
  left?: ReactNode;
  right?: ReactNode;
}

function Step({ to, label, left, right }: StepProps) {
  if (to === null) {
    return (
      <Button variant="default" leftSection={left} rightSection={right} disabled>
        {label}
      </Button>
    );
  }
  return (
    <Button variant="default" component={Link} to={to} leftSection={left} rightSection={right}>
      {label}
    </Button>
  );
}

/** Where the result stands in the list; null while that is not known. */
function usePlace(run: Run, { case_key, trial }: Schemas['CaseResult'], filter: ResultFilter, given: string | null): number | null {
  const first = useQuery({ ...resultsQuery(run.id, filter, 1, LOOKED_THROUGH), enabled: given === null });
  if (given !== null) return Math.max(0, Math.floor(Number(given)) || 0);
  const found = first.data?.items.findIndex((one) => one.case_key === case_key && one.trial === trial) ?? -1;
  return found < 0 ? null : found;
}

function useResultAt(runId: string, filter: ResultFilter, at: number): Result | undefined {
  const page = useQuery({ ...resultsQuery(runId, filter, at + 1, 1), enabled: at >= 0 });
  return at >= 0 ? page.data?.items[0] : undefined;
}
