import { Group, SegmentedControl, Select, Text } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import type { Schemas } from '~/api/client';
import { resultAddress } from '~/screens/runs/resultAddress';
import type { Run } from '~/screens/runs/runQueries';

/** More trials than this are chosen from a list. */
const MOST_SIDE_BY_SIDE = 10;

/** The same case in the run's other trials; nothing where there is only one. */
export function Trials({ run, result }: { run: Run; result: Schemas['CaseResult'] }) {
  const { t } = useTranslation('runs');
  const navigate = useNavigate();
  const id = useId();
  const { trials } = run.spec.limits;
  if (trials < 2) return null;
  const data = Array.from({ length: trials }, (_, index) => ({ value: String(index), label: String(index + 1) }));
  const go = (value: string | null) => {
    if (value !== null) void navigate(resultAddress(run.id, { ...result, trial: Number(value) }), { replace: true });
  };
  const field = { data, value: String(result.trial), onChange: go, 'aria-labelledby': id };
  return (
    <Group gap="sm">
      <Text size="sm" id={id}>
        {t('result.trial')}
      </Text>
      {trials > MOST_SIDE_BY_SIDE ? <Select {...field} allowDeselect={false} w={100} /> : <SegmentedControl {...field} size="xs" />}
    </Group>
  );
}
