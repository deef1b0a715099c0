import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api } from '~/api/client';
import { keys } from '~/api/keys';

const SHOWN = 50;
const WAIT_MS = 250;

interface Props {
  label: string;
  description?: string;
  value: string | null;
  onChange: (id: string | null) => void;
  error?: string;
  disabled?: boolean;
  /** What stands there while nothing is chosen. */
  placeholder?: string;
}

/** One of the workspace's targets, or none. The server searches. */
export function TargetSelect({ value, onChange, placeholder, ...input }: Props) {
  const { t } = useTranslation('datasets');
  const [typed, setTyped] = useState('');
  const [q] = useDebouncedValue(typed, WAIT_MS);
  const chosen = useTarget(value);
  // What is typed is the chosen one's name as soon as it is chosen, which is no search.
  const search = q === chosen.data?.name ? '' : q;
  const filters = { q: search, page: 1, size: SHOWN };
  const found = useQuery({
    queryKey: keys.targetList(filters),
    queryFn: ({ signal }) => answer(api.GET('/api/targets', { params: { query: filters }, signal })),
    placeholderData: keepPreviousData,
  });
  const options = (found.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const missing = chosen.data && !options.some((option) => option.value === chosen.data.id);
  return (
    <Select
      {...input}
      data={missing ? [{ value: chosen.data.id, label: chosen.data.name }, ...options] : options}
      filter={({ options: all }) => all}
      value={value}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
      searchable
      clearable
      placeholder={placeholder ?? t('field.anyTarget')}
      nothingFoundMessage={t('field.noTarget')}
    />
  );
}

/** A target by its id; nothing is asked for null. */
export function useTarget(id: string | null) {
  return useQuery({
    queryKey: [...keys.target(id ?? ''), 'detail'],
    queryFn: ({ signal }) => answer(api.GET('/api/targets/{target_id}', { params: { path: { target_id: id ?? '' } }, signal })),
    enabled: id !== null,
  });
}
