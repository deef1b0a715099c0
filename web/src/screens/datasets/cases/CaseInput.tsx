import { Group, SegmentedControl, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { type CaseDraft, inputOf, typedInput } from '~/screens/datasets/cases/caseDraft';
import { WithGuide } from '~/screens/datasets/cases/WithGuide';
import type { JsonSchema } from '~/ui/schema-form/schema';
import { SchemaValueInput, withFields } from '~/ui/SchemaValueInput';

interface Props {
  draft: CaseDraft;
  onChange: (changes: Partial<CaseDraft>) => void;
  error?: string;
  disabled: boolean;
  /** Whether somebody is about to type here. */
  autoFocus: boolean;
  /** What the target takes, where its definition says so. */
  schema: JsonSchema | null;
  /** Whether somebody has tried to save, so that what is missing is shown. */
  tried: boolean;
}

/** What the target is asked: by the fields that it takes, else a text, or a JSON object for targets that take one. */
export function CaseInput({ schema, tried, ...props }: Props) {
  const { t } = useTranslation('datasets');
  if (!withFields(schema)) return <TextOrJson {...props} />;
  const { draft, onChange, error, disabled } = props;
  return (
    <div data-autofocus>
      <SchemaValueInput
        label={t('case.input')}
        schema={schema}
        tried={tried}
        value={typedInput(draft)}
        onChange={(typed) => onChange(inputOf(typed))}
        error={error}
        disabled={disabled}
      />
    </div>
  );
}

function TextOrJson({ draft, onChange, error, disabled, autoFocus }: Omit<Props, 'schema' | 'tried'>) {
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
