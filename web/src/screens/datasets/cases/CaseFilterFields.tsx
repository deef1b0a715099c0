import { Autocomplete, CloseButton, Select } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { ListParams } from '~/ui/listParams';

import classes from './CaseFilterFields.module.css';

interface Props {
  params: ListParams;
  /** Tags to offer. */
  tags: string[];
  /** The button that adds a case. */
  add: ReactNode;
}

/** Which cases are shown: on or off, ready or draft, with a tag. */
export function CaseFilterFields({ params, tags, add }: Props) {
  const { t } = useTranslation('datasets');
  return (
    <>
      <Select
        className={classes.field}
        aria-label={t('filter.status')}
        placeholder={t('filter.anyStatus')}
        clearable
        data={[
          { value: 'ready', label: t('status.ready') },
          { value: 'draft', label: t('status.draft') },
        ]}
        value={params.filter('status')}
        onChange={(value) => params.setFilter('status', value)}
      />
      <Select
        className={classes.field}
        aria-label={t('filter.enabled')}
        placeholder={t('filter.onAndOff')}
        clearable
        data={[
          { value: 'true', label: t('filter.on') },
          { value: 'false', label: t('filter.off') },
        ]}
        value={params.filter('enabled')}
        onChange={(value) => params.setFilter('enabled', value)}
      />
      <TagFilter value={params.filter('tag') ?? ''} tags={tags} onChange={(tag) => params.setFilter('tag', tag || null)} />
      <div className={classes.add}>{add}</div>
    </>
  );
}

/** A tag counts once it is chosen, or by Enter. */
function TagFilter({ value, tags, onChange }: { value: string; tags: string[]; onChange: (tag: string) => void }) {
  const { t } = useTranslation(['datasets', 'common']);
  const [typed, setTyped] = useState(value);
  const [last, setLast] = useState(value);
  if (value !== last) {
    setLast(value);
    setTyped(value);
  }
  return (
    <Autocomplete
      className={classes.field}
      aria-label={t('filter.tag')}
      placeholder={t('filter.anyTag')}
      data={tags}
      value={typed}
      onChange={setTyped}
      onOptionSubmit={onChange}
      onKeyDown={({ key }) => key === 'Enter' && onChange(typed.trim())}
      onBlur={() => typed.trim() !== value && onChange(typed.trim())}
      rightSection={value ? <CloseButton size="sm" aria-label={t('common:clear')} onClick={() => onChange('')} /> : null}
    />
  );
}
