import { Button, Group, Modal, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import type { Tagged } from '~/api/tagged';
import { NameFields } from '~/screens/agents/NameFields';
import type { Target } from '~/screens/agents/targets';
import { ErrorPanel } from '~/ui/ErrorPanel';

interface Props {
  target: Tagged<Target>;
  opened: boolean;
  onClose: () => void;
}

/** Changes what a target is called and what is said of it. What it does is changed by a new version. */
export function RenameTarget({ target, opened, onClose }: Props) {
  const { t } = useTranslation(['agents', 'common']);
  return (
    <Modal opened={opened} onClose={onClose} title={t('rename.title')} size="lg" closeButtonProps={{ 'aria-label': t('common:close') }}>
      <Fields target={target} onClose={onClose} />
    </Modal>
  );
}

/** They begin anew whenever the dialog opens. */
function Fields({ target: { value, etag }, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation('common');
  const queries = useQueryClient();
  const [name, setName] = useState(value.name);
  const [description, setDescription] = useState(value.description);
  const [tried, setTried] = useState(false);
  const change = useMutation({
    mutationFn: (body: Schemas['TargetChanges']) => answer(api.PUT('/api/targets/{target_id}', { params: { path: { target_id: value.id }, header: { 'if-match': etag } }, body })),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.targets() }),
    onSuccess: () => {
      notifications.show({ message: t('saved') });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim()) change.mutate({ name: name.trim(), description: description.trim() });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <NameFields name={name} description={description} onName={setName} onDescription={setDescription} error={change.error} tried={tried} autoFocus />
        {change.error && <ErrorPanel error={change.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
