import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

import { targetQuery, versionChoicesQuery } from '~/screens/runs/runQueries';

interface Props {
  target: string | null;
  /** The version's number as text; null for the active one. */
  value: string | null;
  onChange: (value: string | null) => void;
  error: ReactNode;
}

/** Which version of a target runs; the active one until another is chosen. */
export function VersionSelect({ target, value, onChange, error }: Props) {
  const { t } = useTranslation('runs');
  const known = useQuery({ ...targetQuery(target ?? ''), enabled: target !== null });
  const versions = useQuery({ ...versionChoicesQuery(target ?? ''), enabled: target !== null });
  const active = known.data?.active ?? null;
  const options = (versions.data?.items ?? []).map(({ number, note }) => ({
    value: String(number),
    label: [`v${number}`, number === active ? t('new.active') : null, note || null].filter(Boolean).join(' · '),
  }));
  return <Select label={t('version')} data={options} value={value ?? (active === null ? null : String(active))} onChange={onChange} error={error} disabled={target === null} allowDeselect={false} maxDropdownHeight={280} miw={140} />;
}
