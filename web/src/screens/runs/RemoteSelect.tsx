import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import { isRemote } from '~/screens/agents/targets';
import { useDatasetChoices } from '~/screens/runs/datasetChoices';
import { datasetQuery, targetChoicesQuery, targetQuery } from '~/screens/runs/runQueries';

const WAIT_MS = 250;

interface Choice {
  id: string;
  name: string;
  kind: string;
}

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

interface TargetProps extends Props {
  /** What to say behind the name of one that cannot be run from here; such a one cannot be chosen then. */
  elsewhere?: string;
}

/** A target, by its id. */
export function TargetSelect({ elsewhere, ...props }: TargetProps) {
  const [q, setQ] = useState('');
  const [searched] = useDebouncedValue(q, WAIT_MS);
  const found = useQuery(targetChoicesQuery(searched)).data?.items ?? [];
  const missing = missingFrom(found, props.value);
  const chosen = useQuery({ ...targetQuery(missing ?? ''), enabled: missing !== null });
  const barred = ({ kind }: { kind: string }) => elsewhere !== undefined && isRemote(kind);
  const options = withChosen<Choice>(found, chosen.data, missing).map((target) => ({ value: target.id, label: barred(target) ? `${target.name} — ${elsewhere}` : target.name, disabled: barred(target) }));
  return <RemoteSelect options={options} onSearch={setQ} {...props} />;
}

interface DatasetProps extends Props {
  /** What to say behind the name of one that has no case to run; such a one cannot be chosen then. */
  notRunnable?: string;
  /** What to say behind the name of one that the user's targets do not let them change; such a one cannot be chosen then. */
  notChangeable?: string;
  /** Whose datasets come first. */
  targetId?: string | null;
}

/** A dataset, by its id. */
export function DatasetSelect({ notRunnable, notChangeable, targetId = null, ...props }: DatasetProps) {
  const [q, setQ] = useState('');
  const [searched] = useDebouncedValue(q, WAIT_MS);
  const found = useDatasetChoices(searched, targetId).datasets;
  const missing = missingFrom(found, props.value);
  const chosen = useQuery({ ...datasetQuery(missing ?? ''), enabled: missing !== null });
  const barred = new Map(found.map(({ id, runnable, may_change }) => [id, (!runnable && notRunnable) || (!may_change && notChangeable)]));
  const options = withChosen<{ id: string; name: string }>(found, chosen.data, missing).map(({ id, name }) => ({
    value: id,
    label: barred.get(id) ? `${name} — ${barred.get(id)}` : name,
    disabled: Boolean(barred.get(id)),
  }));
  return <RemoteSelect options={options} onSearch={setQ} {...props} />;
}

function missingFrom(found: readonly { id: string }[], value: string | null | undefined): string | null {
  return value && !found.some(({ id }) => id === value) ? value : null;
}

function withChosen<T extends { id: string; name: string }>(found: readonly T[], chosen: T | undefined, missing: string | null): T[] {
  return missing !== null && chosen?.id === missing ? [chosen, ...found] : [...found];
}
