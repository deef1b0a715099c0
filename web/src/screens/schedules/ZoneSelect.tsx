import { type ComboboxItem, Select, type SelectProps } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { readersZone, zoneNames } from '~/screens/schedules/zones';

type Props = Omit<SelectProps, 'data' | 'value' | 'onChange'> & { value: string; onChange: (zone: string) => void };

/** Most zones in view; a search finds the others. */
const SHOWN = 60;

/** An IANA time zone. It is found by any part of its name: "new york" is America/New_York. */
export function ZoneSelect({ value, onChange, ...props }: Props) {
  const { t } = useTranslation('schedules');
  const [opened, setOpened] = useState(false);
  const chosen = value ? [value] : [];
  // There are hundreds, which are drawn with the field even while they are not seen.
  const names = useMemo(() => (opened ? zoneNames(readersZone(), ...(value ? [value] : [])) : null), [opened, value]);
  return (
    <Select
      data={names ?? chosen}
      value={value}
      onChange={(zone) => zone && onChange(zone)}
      filter={({ options, search }) => matching(options as ComboboxItem[], search === value ? '' : search, value)}
      dropdownOpened={opened}
      onDropdownOpen={() => setOpened(true)}
      onDropdownClose={() => setOpened(false)}
      searchable
      allowDeselect={false}
      nothingFoundMessage={t('form.noZone')}
      maxDropdownHeight={260}
      {...props}
    />
  );
}

/** Those whose name has the text; of very many the first ones, and always the one that is chosen. */
function matching(options: ComboboxItem[], search: string, chosen: string): ComboboxItem[] {
  const found = options.filter(({ value }) => plain(value).includes(plain(search)));
  return found.filter(({ value }, index) => index < SHOWN || value === chosen);
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[_/\s]+/g, ' ').trim();
}
