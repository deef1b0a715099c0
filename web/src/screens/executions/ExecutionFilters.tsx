import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { momentOf, PERIODS, type Period, SOURCES, STATUSES } from '~/screens/executions/executions';
import { localText } from '~/screens/executions/localText';
import { TargetSelect } from '~/screens/runs/RemoteSelect';
import type { ListParams } from '~/ui/listParams';

const WIDTH = { base: '100%', xs: 164 };
const OWN = 'own';

/** Which executions are listed. `named`: whether a target can be chosen. */
export function ExecutionFilters({ params, named }: { params: ListParams; named: boolean }) {
  const { t } = useTranslation(['executions', 'common']);
  const field = (name: string, label: string, placeholder: string) => ({
    'aria-label': label,
    placeholder,
    value: params.filter(name),
    onChange: (value: string | null) => params.setFilter(name, value),
    clearable: true,
    clearButtonProps: { 'aria-label': t('common:clear') },
    w: WIDTH,
  });
  return (
    <>
      {named && <TargetSelect {...field('target', t('filter.targetLabel'), t('filter.target'))} />}
      <Select {...field('source', t('filter.sourceLabel'), t('filter.source'))} data={SOURCES.map((source) => ({ value: source, label: t(`source.${source}`) }))} />
      <Select {...field('status', t('filter.statusLabel'), t('filter.status'))} data={STATUSES.map((status) => ({ value: status, label: t(`status.${status}`) }))} />
      <TimeFilter params={params} />
    </>
  );
}

/** A period that ends now, or one's own with a beginning and an end. */
function TimeFilter({ params }: { params: ListParams }) {
  const { t } = useTranslation(['executions', 'common']);
  const given = params.filter('since') !== null || params.filter('until') !== null;
  const [isOwn, setIsOwn] = useState(given);
  const choose = (value: string | null) => {
    setIsOwn(value === OWN);
    params.setFilters({ time: value === OWN ? null : value, since: null, until: null });
  };
  return (
    <>
      <Select
        aria-label={t('filter.timeLabel')}
        placeholder={t('filter.time')}
        value={isOwn || given ? OWN : params.filter('time')}
        onChange={choose}
        clearable
        clearButtonProps={{ 'aria-label': t('common:clear') }}
        w={WIDTH}
        data={[...(Object.keys(PERIODS) as Period[]).map((period) => ({ value: period, label: t(`time.${period}`) })), { value: OWN, label: t('time.own') }]}
      />
      {(isOwn || given) &&
        (['since', 'until'] as const).map((end) => (
          <TextInput
            key={end}
            type="datetime-local"
            aria-label={t(`filter.${end}`)}
            title={t(`filter.${end}`)}
            w={{ base: '100%', xs: 210 }}
            value={localText(params.filter(end))}
            onChange={({ currentTarget }) => params.setFilter(end, momentOf(currentTarget.value) ?? null)}
          />
        ))}
    </>
  );
}
