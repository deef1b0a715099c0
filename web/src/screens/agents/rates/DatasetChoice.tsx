import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props {
  datasets: readonly { id: string; name: string }[];
  value: string;
  onChange: (id: string | null) => void;
}

/** Of which dataset rates are shown: only those of one can be compared. */
export function DatasetChoice({ datasets, value, onChange }: Props) {
  const { t } = useTranslation('agents');
  return <Select label={t('rates.dataset')} data={datasets.map(({ id, name }) => ({ value: id, label: name }))} value={value} onChange={onChange} allowDeselect={false} maw={320} />;
}
