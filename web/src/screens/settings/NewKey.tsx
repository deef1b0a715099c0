import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import type { Role } from '~/api/session';
import { EXPIRIES, expiresAt, type Expiry } from '~/screens/settings/expiry';
import { RoleSelect } from '~/screens/settings/RoleSelect';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { toldFaults } from '~/ui/toldFaults';

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The key, with the secret that is shown this once. */
  onMade: (made: Schemas['NewApiKey']) => void;
}

/** Makes an API key. */
export function NewKey({ opened, onClose, onMade }: Props) {
  const { t } = useTranslation(['settings', 'common']);
  return (
    <Modal opened={opened} onClose={onClose} title={t('keys.add')} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <Fields onClose={onClose} onMade={onMade} />
    </Modal>
  );
}

function Fields({ onClose, onMade }: Omit<Props, 'opened'>) {
  const { t } = useTranslation(['settings', 'common']);
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [expiry, setExpiry] = useState<Expiry>('90');
  const [day, setDay] = useState('');
  const [faults, setFaults] = useState<{ name?: string; day?: string }>({});
  const make = useMutation({
    mutationFn: (body: Schemas['KeyWish']) => answer(api.POST('/api/auth/api-keys', { body })),
    onSuccess: (made) => {
      void queries.invalidateQueries({ queryKey: keys.apiKeys() });
      onClose();
      onMade(made);
    },
  });
  const told = toldFaults(make.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expires = expiresAt(expiry, day, Date.now());
    setFaults({ name: name.trim() ? undefined : t('keys.nameMissing'), day: expires === undefined ? t('keys.dateMissing') : undefined });
    if (name.trim() && expires !== undefined) make.mutate({ name: name.trim(), role, expires_at: expires });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <TextInput label={t('keys.name')} description={t('keys.nameHelp')} required maxLength={200} data-autofocus value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} error={faults.name ?? told.name} />
        <RoleSelect label={t('keys.role')} value={role} onChange={setRole} />
        <Select
          label={t('keys.expiry')}
          data={EXPIRIES.map((value) => ({ value, label: t(`keys.expires.${value}`) }))}
          value={expiry}
          onChange={(value) => value && setExpiry(value as Expiry)}
          allowDeselect={false}
          error={told.expires_at}
        />
        {expiry === 'date' && <TextInput type="date" label={t('keys.date')} required value={day} onChange={({ currentTarget }) => setDay(currentTarget.value)} error={faults.day} />}
        {make.error && <ErrorPanel error={make.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <Button type="submit" loading={make.isPending}>
            {t('common:create')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
