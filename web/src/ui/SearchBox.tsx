import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

const WAIT_MS = 300;

interface Props {
  value: string;
  onChange: (value: string) => void;
  /** Default "Search". */
  label?: string;
}

/** A search field that asks once the reader has paused. */
export function SearchBox({ value, onChange, label }: Props) {
  const { t } = useTranslation('common');
  const [text, setText] = useState(value);
  const [last, setLast] = useState(value);
  const ask = useDebouncedCallback(onChange, WAIT_MS);
  if (value !== last) {
    // The address has changed by other means, such as the back button.
    setLast(value);
    setText(value);
  }
  const type = (next: string) => {
    setText(next);
    setLast(value);
    ask(next.trim());
  };
  const name = label ?? t('search');
  return (
    <TextInput
      type="search"
      aria-label={name}
      placeholder={name}
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={text ? <CloseButton size="sm" aria-label={t('clear')} onClick={() => type('')} /> : null}
      w={{ base: '100%', sm: 280 }}
    />
  );
}
