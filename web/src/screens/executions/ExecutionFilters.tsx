import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { PERIODS, type Period, SOURCES, STATUSES } from '~/screens/executions/executions';
import type { ListParams } from '~/ui/listParams';

/** Which executions are listed. */
export function ExecutionFilters({ params }: { params: ListParams }) {
  const { t } = useTranslation(['executions', 'common']);
  const field = (name: string, label: string, placeholder: string) => ({
    'aria-label': label,
    placeholder,
    value: params.filter(name),
    onChange: (value: string | null) => params.setFilter(name, value),
    clearable: true,
    clearButtonProps: { 'aria-label': t('common:clear') },
    w: { base: '100%', xs: 180 },
  });
  return (
    <>
      <Select {...field('source', t('filter.sourceLabel'), t('filter.source'))} data={SOURCES.map((source) => ({ value: source, label: t(`source.${source}`) }))} />
      <Select {...field('status', t('filter.statusLabel'), t('filter.status'))} data={STATUSES.map((status) => ({ value: status, label: t(`status.${status}`) }))} />
      <Select {...field('time', t('filter.timeLabel'), t('filter.time'))} data={(Object.keys(PERIODS) as Period[]).map((period) => ({ value: period, label: t(`time.${period}`) }))} />
    </>
  );
}
