import { Group, SegmentedControl, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { type Period, PRESETS } from '~/screens/usage/period';
import type { ListParams } from '~/ui/listParams';

/** Which days are told of; the choice stands in the address. */
export function PeriodChooser({ period, params }: { period: Period; params: ListParams }) {
  const { t } = useTranslation('usage');
  const options = [...PRESETS, 'own' as const].map((value) => ({ value, label: t(`period.${value}`) }));
  const wrong = period.since > period.until ? t('period.reversed') : undefined;
  const day = (name: 'since' | 'until') => (
    <TextInput
      type="date"
      label={t(`period.${name}`)}
      value={period[name]}
      onChange={({ currentTarget }) => currentTarget.value && params.setFilter(name, currentTarget.value)}
      error={name === 'until' ? wrong : undefined}
    />
  );
  return (
    <Group align="flex-end" mb="lg">
      <SegmentedControl aria-label={t('period.label')} data={options} value={period.preset} onChange={(value) => params.setFilter('period', value)} style={{ maxWidth: '100%', overflowX: 'auto' }} />
      {period.preset === 'own' && (
        <>
          {day('since')}
          {day('until')}
        </>
      )}
    </Group>
  );
}
