import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { datasetChoicesQuery, datasetQuery, targetChoicesQuery, targetQuery } from '~/screens/runs/runQueries';

const WAIT_MS = 250;

interface Option {
  value: string;
  label: string;
  disabled?: boolean;
}

type Props = Omit<SelectProps, 'data' | 'searchValue' | 'onSearchChange' | 'filter'>;

interface RemoteProps extends Props {
  options: Option[];
  onSearch: (q: string) => void;
}

/** A choice of which the server does the searching. What is chosen stays a choice, whatever is searched for. */
function RemoteSelect({ options, onSearch, ...props }: RemoteProps) {
  const [typed, setTyped] = useState('');
  const type = (text: string) => {
    setTyped(text);
    // The name of what is chosen stands in the field; that is no search.
    onSearch(options.some(({ label }) => label === text) ? '' : text);
  };
  return <Select searchable data={options} searchValue={typed} onSearchChange={type} filter={({ options: all }) => all} maxDropdownHeight={280} {...props} />;
}

/** A target, by its id. */
export function TargetSelect(props: Props) {
  const [q, setQ] = useState('');
  const [searched] = useDebouncedValue(q, WAIT_MS);
  const found = useQuery(targetChoicesQuery(searched)).data?.items ?? [];
  const missing = missingFrom(found, props.value);
  const chosen = useQuery({ ...targetQuery(missing ?? ''), enabled: missing !== null });
  const options = withChosen(found, chosen.data, missing).map(({ id, name }) => ({ value: id, label: name }));
  return <RemoteSelect options={options} onSearch={setQ} {...props} />;
}

interface DatasetProps extends Props {
  /** What to say behind the name of one that has no case to run; such a one cannot be chosen then. */
  notRunnable?: string;
}

/** A dataset, by its id. */
export function DatasetSelect({ notRunnable, ...props }: DatasetProps) {
  const [q, setQ] = useState('');
  const [searched] = useDebouncedValue(q, WAIT_MS);
  const found = useQuery(datasetChoicesQuery(searched)).data?.items ?? [];
  const missing = missingFrom(found, props.value);
  const chosen = useQuery({ ...datasetQuery(missing ?? ''), enabled: missing !== null });
  const barred = new Set(notRunnable ? found.filter(({ runnable }) => !runnable).map(({ id }) => id) : []);
  const options = withChosen<{ id: string; name: string }>(found, chosen.data, missing).map(({ id, name }) => ({
    value: id,
    label: barred.has(id) ? `${name} — ${notRunnable}` : name,
    disabled: barred.has(id),
  }));
  return <RemoteSelect options={options} onSearch={setQ} {...props} />;
}

function missingFrom(found: readonly { id: string }[], value: string | null | undefined): string | null {
  return value && !found.some(({ id }) => id === value) ? value : null;
}

function withChosen<T extends { id: string; name: string }>(found: readonly T[], chosen: T | undefined, missing: string | null): T[] {
  return missing !== null && chosen?.id === missing ? [chosen, ...found] : [...found];
}
