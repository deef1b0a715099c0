import { Input, SegmentedControl } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

const COUNTS = ['1', '2', '3', '4', '5'];

interface Props {
  value: number;
  onChange: (value: number) => void;
  disabled?: boolean;
}

/** How often each judge is asked the same. */
export function JudgeSamples({ value, onChange, disabled }: Props) {
  const { t } = useTranslation('datasets');
  const id = useId();
  return (
    <Input.Wrapper label={t('field.judgeSamples')} description={t('field.judgeSamplesHelp')} labelProps={{ id }} labelElement="div" inputWrapperOrder={['label', 'description', 'input']}>
      <SegmentedControl mt={6} aria-labelledby={id} data={COUNTS} value={String(value)} onChange={(text) => onChange(Number(text))} disabled={disabled} />
    </Input.Wrapper>
  );
}
