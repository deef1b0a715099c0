import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ChosenTargets } from '~/screens/settings/ChosenTargets';

interface Props {
  /** The ids of those that are seen; null for all. */
  ids: readonly string[] | null;
  onChange: (ids: readonly string[] | null) => void;
}

/** Which targets a member sees: all of them, or some that are chosen here. What was chosen is kept while all are seen. */
export function SeenTargets({ ids, onChange }: Props) {
  const { t } = useTranslation('settings');
  const [chosen, setChosen] = useState(ids ?? []);
  const choose = (some: readonly string[]) => {
    setChosen(some);
    onChange(some);
  };
  return (
    <>
      <Radio.Group label={t('grants.sees')} value={ids === null ? 'all' : 'some'} onChange={(value) => onChange(value === 'all' ? null : chosen)}>
        <Stack gap="xs" mt="xs">
          <Radio value="all" label={t('grants.all')} description={t('grants.allHelp')} />
          <Radio value="some" label={t('grants.some')} description={t('grants.someHelp')} />
        </Stack>
      </Radio.Group>
      {ids !== null && <ChosenTargets ids={ids} onChange={choose} />}
    </>
  );
}
