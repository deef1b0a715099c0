import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { DatasetSelect, TargetSelect } from '~/screens/runs/RemoteSelect';
import type { ListParams } from '~/ui/listParams';

const STATUSES = ['pending', 'running', 'completed', 'cancelled', 'failed'] as const;

/** Which runs are listed. Each field says what it is by what stands in it while it is empty. */
export function RunFilters({ params }: { params: ListParams }) {
  const { t } = useTranslation(['runs', 'common']);
  const field = (name: string, label: string) => ({
    'aria-label': label,
    placeholder: label,
    value: params.filter(name),
    onChange: (value: string | null) => params.setFilter(name, value),
    clearable: true,
    clearButtonProps: { 'aria-label': t('common:clear') },
    w: { base: '100%', xs: 190 },
  });
  return (
    <>
      <TargetSelect {...field('target', t('target'))} />
      <DatasetSelect {...field('dataset', t('dataset'))} />
      <Select {...field('status', t('status'))} data={STATUSES.map((status) => ({ value: status, label: t(`common:status.${status}`) }))} />
    </>
  );
}
