import { Button, Group, Text, Textarea } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { isJson, readTyped, type Typed } from '~/ui/typedValue';

interface Props {
  label: string;
  description?: ReactNode;
  placeholder?: string;
  value: Typed;
  onChange: (value: Typed) => void;
  error?: ReactNode;
  disabled?: boolean;
  minRows?: number;
}

/** A text, or JSON: it says which it was taken for, and lets the reader decide otherwise. */
export function TypedValueInput({ value, onChange, error, minRows = 2, ...input }: Props) {
  const { t } = useTranslation('ui');
  const reading = readTyped(value);
  const asJson = reading.kind === 'json' || reading.kind === 'fault';
  const fault = reading.kind === 'fault' ? t('form.jsonFault', { reason: reading.reason }) : undefined;
  return (
    <div>
      <Textarea {...input} autosize minRows={minRows} maxRows={16} value={value.text} onChange={({ currentTarget }) => onChange({ ...value, text: currentTarget.value })} error={error ?? fault} styles={asJson ? { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } } : undefined} />
      {reading.kind !== 'none' && (
        <Group gap="xs" mt={4}>
          <Text size="xs" c="dimmed" role="status">
            {t(asJson ? 'typed.json' : 'typed.text')}
          </Text>
          {asJson && (
            <Button variant="subtle" size="compact-xs" disabled={input.disabled} onClick={() => onChange({ ...value, as: 'text' })}>
              {t('typed.keepText')}
            </Button>
          )}
          {!asJson && isJson(value.text) && (
            <Button variant="subtle" size="compact-xs" disabled={input.disabled} onClick={() => onChange({ ...value, as: 'json' })}>
              {t('typed.readJson')}
            </Button>
          )}
        </Group>
      )}
    </div>
  );
}
