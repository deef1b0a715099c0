import { Group, SegmentedControl, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { CaseDraft } from '~/screens/datasets/cases/caseDraft';
import { WithGuide } from '~/screens/datasets/cases/WithGuide';

interface Props {
  draft: CaseDraft;
  onChange: (changes: Partial<CaseDraft>) => void;
  error?: string;
  disabled: boolean;
  /** Whether somebody is about to type here. */
  autoFocus: boolean;
}

/** What the target is asked: a text, or a JSON object for targets that take one. */
export function CaseInput({ draft, onChange, error, disabled, autoFocus }: Props) {
  const { t } = useTranslation('datasets');
  const json = draft.inputAs === 'json';
  return (
    <div>
      <WithGuide>
        <Textarea
          label={t(json ? 'case.input' : 'case.prompt')}
          description={t(json ? 'case.inputHelp' : 'case.promptHelp')}
          required
          autosize
          minRows={3}
          maxRows={18}
          autoFocus={autoFocus}
          data-autofocus
          value={draft.input}
          onChange={({ currentTarget }) => onChange({ input: currentTarget.value })}
          error={error}
          disabled={disabled}
          styles={json ? { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } } : undefined}
        />
      </WithGuide>
      <Group mt={6}>
        <SegmentedControl
          size="xs"
          aria-label={t('case.inputAs')}
          disabled={disabled}
          data={[
            { value: 'text', label: t('case.asText') },
            { value: 'json', label: t('case.asJson') },
          ]}
          value={draft.inputAs}
          onChange={(value) => onChange({ inputAs: value as CaseDraft['inputAs'] })}
        />
      </Group>
    </div>
  );
}
