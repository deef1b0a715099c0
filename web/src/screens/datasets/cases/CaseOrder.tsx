import { Group, Input, SegmentedControl, SimpleGrid, Switch, TagsInput, TextInput, Title } from '@mantine/core';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

import type { CaseDraft } from '~/screens/datasets/cases/caseDraft';

interface Props {
  draft: CaseDraft;
  onChange: (changes: Partial<CaseDraft>) => void;
  fault: (...pointers: string[]) => string | undefined;
  disabled: boolean;
}

/** What people find a case by, and whether it runs. */
export function CaseOrder({ draft, onChange, fault, disabled }: Props) {
  const { t } = useTranslation('datasets');
  const id = useId();
  const faults = { name: fault('/name'), key: fault('/key'), tags: fault('/tags') };
  return (
    <>
      <Title order={3}>{t('case.order')}</Title>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        <TextInput label={t('case.name')} description={t('case.nameHelp')} value={draft.name} onChange={({ currentTarget }) => onChange({ name: currentTarget.value })} error={faults.name} disabled={disabled} />
        <TextInput label={t('case.key')} description={t('case.keyHelp')} placeholder={t('case.keyMade')} maxLength={200} value={draft.key} onChange={({ currentTarget }) => onChange({ key: currentTarget.value })} error={faults.key} disabled={disabled} />
      </SimpleGrid>
      <TagsInput label={t('case.tags')} description={t('case.tagsHelp')} value={draft.tags} onChange={(tags) => onChange({ tags })} error={faults.tags} disabled={disabled} acceptValueOnBlur clearable />
      <Group align="flex-start" gap="xl">
        <Input.Wrapper label={t('case.status')} description={t('case.statusHelp')} labelElement="div" labelProps={{ id }} inputWrapperOrder={['label', 'description', 'input']}>
          <SegmentedControl
            mt={6}
            size="xs"
            aria-labelledby={id}
            disabled={disabled}
            data={[
              { value: 'ready', label: t('status.ready') },
              { value: 'draft', label: t('status.draft') },
            ]}
            value={draft.status}
            onChange={(value) => onChange({ status: value as CaseDraft['status'] })}
          />
        </Input.Wrapper>
        <Switch label={t('case.enabled')} description={t('case.enabledHelp')} checked={draft.enabled} onChange={({ currentTarget }) => onChange({ enabled: currentTarget.checked })} disabled={disabled} />
      </Group>
    </>
  );
}
