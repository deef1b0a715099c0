import { Fieldset, NumberInput, SimpleGrid, Switch, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Faults, RuleDraft } from '~/screens/online/ruleDraft';
import { DatasetSelect } from '~/screens/runs/RemoteSelect';

const MOST_TEXT = 200;
const MOST_SAMPLES = 5;

type NumberField = 'share' | 'version' | 'minSeconds' | 'samples' | 'mostPerDay' | 'costPerDay';
const SAMPLES: NumberField = 'samples';

interface Props {
  targetId: string;
  draft: RuleDraft;
  onChange: (changes: Partial<RuleDraft>) => void;
  faults: Faults;
}

/** Which executions are graded, what it may cost, and what becomes of those that fail. */
export function RuleFields({ targetId, draft, onChange, faults }: Props) {
  const { t } = useTranslation(['online', 'common']);
  const number = (field: NumberField) => ({
    label: t(`form.${field}`),
    description: t(`form.${field}Help`),
    value: draft[field],
    onChange: (value: number | string) => onChange({ [field]: value }),
    error: faults[field],
  });
  return (
    <>
      <Fieldset legend={t('form.which')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <NumberInput {...number('share')} min={0} max={100} decimalScale={4} suffix=" %" />
          <TextInput label={t('form.text')} description={t('form.textHelp')} maxLength={MOST_TEXT} value={draft.text} onChange={({ currentTarget }) => onChange({ text: currentTarget.value })} error={faults.text} />
          <NumberInput {...number('version')} min={1} allowDecimal={false} />
          <NumberInput {...number('minSeconds')} min={0} decimalScale={3} />
        </SimpleGrid>
        <Switch mt="md" label={t('form.answeredOnly')} description={t('form.answeredOnlyHelp')} checked={draft.answeredOnly} onChange={({ currentTarget }) => onChange({ answeredOnly: currentTarget.checked })} />
      </Fieldset>
      <Fieldset legend={t('form.budget')}>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <NumberInput {...number('mostPerDay')} min={1} max={1_000_000} allowDecimal={false} thousandSeparator=" " />
          <NumberInput {...number('costPerDay')} min={0} decimalScale={4} prefix="$" />
          <NumberInput {...number(SAMPLES)} min={1} max={MOST_SAMPLES} clampBehavior="strict" allowDecimal={false} />
        </SimpleGrid>
      </Fieldset>
      <DatasetSelect
        label={t('form.drafts')}
        description={t('form.draftsHelp')}
        placeholder={t('common:none')}
        targetId={targetId}
        notChangeable={t('form.draftsNotYours')}
        clearable
        clearButtonProps={{ 'aria-label': t('common:clear') }}
        value={draft.drafts}
        onChange={(drafts) => onChange({ drafts })}
        error={faults.drafts}
      />
    </>
  );
}
