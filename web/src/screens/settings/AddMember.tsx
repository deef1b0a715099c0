import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { Role } from '~/api/session';
import { addMember, type NewMember, useMemberChange } from '~/screens/settings/members';
import { RoleSelect } from '~/screens/settings/RoleSelect';
import { SeenTargets } from '~/screens/settings/SeenTargets';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { toldFaults } from '~/ui/toldFaults';

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The member, with the link that is shown this once. */
  onAdded: (member: NewMember) => void;
}

/** Adds a member, who signs in by a one-time link and sets a password then. */
export function AddMember({ opened, onClose, onAdded }: Props) {
  const { t } = useTranslation(['settings', 'common']);
  return (
    <Modal opened={opened} onClose={onClose} title={t('members.add')} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <Fields onClose={onClose} onAdded={onAdded} />
    </Modal>
  );
}

function Fields({ onClose, onAdded }: Omit<Props, 'opened'>) {
  const { t } = useTranslation(['settings', 'common']);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [targets, setTargets] = useState<readonly string[] | null>(null);
  const [tried, setTried] = useState(false);
  const add = useMemberChange(addMember, (added) => {
    onClose();
    onAdded(added);
  });
  const fits = /^[^@\s]+@[^@\s]+$/.test(email.trim());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (fits) add.mutate({ email: email.trim(), role, targets: role === 'owner' ? null : targets && [...targets] });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput type="email" label={t('members.email')} required data-autofocus autoComplete="off" value={email} onChange={({ currentTarget }) => setEmail(currentTarget.value)} error={tried && !fits ? t('members.emailWrong') : toldFaults(add.error).email} />
        <RoleSelect label={t('members.role')} value={role} onChange={setRole} />
        {role !== 'owner' && <SeenTargets ids={targets} onChange={setTargets} />}
        {add.error && <ErrorPanel error={add.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {t('common:add')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
