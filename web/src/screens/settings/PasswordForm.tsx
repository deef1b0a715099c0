import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { ErrorPanel } from '~/ui/ErrorPanel';

const LEAST = 10;
const NOTHING = { current: '', next: '', again: '' };

/** Sets one's own password; who has one names it first. */
export function PasswordForm({ hasPassword }: { hasPassword: boolean }) {
  const { t } = useTranslation('settings');
  const queries = useQueryClient();
  const [typed, setTyped] = useState(NOTHING);
  const [tried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: (body: Schemas['NewPassword']) => answer(api.POST('/api/auth/password', { body })),
    onSuccess: () => {
      notifications.show({ message: t('profile.done') });
      setTyped(NOTHING);
      setTried(false);
      void queries.invalidateQueries({ queryKey: keys.members() });
    },
  });
  const faults = {
    current: hasPassword && !typed.current ? t('profile.currentMissing') : null,
    next: typed.next.length < LEAST ? t('profile.tooShort', { count: LEAST }) : null,
    again: typed.again !== typed.next ? t('profile.differs') : null,
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.values(faults).every((fault) => fault === null)) save.mutate({ current: hasPassword ? typed.current : null, new: typed.next });
  };
  const field = (name: keyof typeof NOTHING) => ({
    value: typed[name],
    onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => setTyped({ ...typed, [name]: currentTarget.value }),
    error: tried ? faults[name] : null,
    required: true,
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm" c="dimmed">
          {t(hasPassword ? 'profile.passwordText' : 'profile.passwordNone')}
        </Text>
        {hasPassword && <PasswordInput label={t('profile.current')} autoComplete="current-password" {...field('current')} />}
        <PasswordInput label={t('profile.new')} description={t('profile.newHelp', { count: LEAST })} autoComplete="new-password" {...field('next')} />
        <PasswordInput label={t('profile.repeat')} autoComplete="new-password" {...field('again')} />
        {save.error && <ErrorPanel error={save.error} />}
        <Group>
          <Button type="submit" variant="default" loading={save.isPending}>
            {t('profile.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
