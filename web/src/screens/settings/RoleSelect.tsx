import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Role } from '~/api/session';
import { ROLES } from '~/screens/settings/members';

interface Props {
  label: string;
  value: Role;
  onChange: (role: Role) => void;
}

/** A role, each with what it may do. */
export function RoleSelect({ label, value, onChange }: Props) {
  const { t } = useTranslation(['settings', 'common']);
  return (
    <Select
      label={label}
      description={t(`members.roleHelp.${value}`)}
      data={ROLES.map((role) => ({ value: role, label: t(`common:role.${role}`) }))}
      value={value}
      onChange={(role) => role && onChange(role as Role)}
      allowDeselect={false}
    />
  );
}
