import { Button, ScrollArea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { CopyButton } from '~/ui/CopyButton';

import classes from './JsonView.module.css';

/** Longer texts are cut until somebody wants them whole; a browser lays out a megabyte slowly. */
const MOST_CHARACTERS = 20_000;

interface Props {
  /** A text is shown as it is, anything else as JSON. */
  value: unknown;
  /** What it is, for screen readers. */
  label: string;
  maxHeight?: number;
}

/** A text or a JSON value: wrapped, scrolling, to be copied. Never read as HTML. */
export function JsonView({ value, label, maxHeight = 420 }: Props) {
  const { t } = useTranslation('ui');
  const [whole, setWhole] = useState(false);
  const text = asText(value);
  const cut = !whole && text.length > MOST_CHARACTERS;
  return (
    <div className={classes.view}>
      <div className={classes.copy}>
        <CopyButton value={text} />
      </div>
      <ScrollArea.Autosize mah={maxHeight} type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
        <pre className={classes.text} data-prose={typeof value === 'string' || undefined}>
          {cut ? text.slice(0, MOST_CHARACTERS) : text}
        </pre>
      </ScrollArea.Autosize>
      {cut && (
        <Button variant="subtle" size="xs" onClick={() => setWhole(true)}>
          {t('showAll', { count: text.length })}
        </Button>
      )}
    </div>
  );
}

/** A text as it is, anything else as indented JSON. */
export function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, null, 2) ?? '';
}
