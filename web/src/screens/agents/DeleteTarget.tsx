import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { answer, api } from '~/api/client';
import { keys } from '~/api/keys';
import type { Target } from '~/screens/agents/targets';
import { ConfirmDialog } from '~/ui/ConfirmDialog';

interface Props {
  target: Target;
  opened: boolean;
  onClose: () => void;
}

/** Asks, then deletes a target with its versions. The server refuses where runs refer to it, and says so. */
export function DeleteTarget({ target: { id, name }, opened, onClose }: Props) {
  const { t } = useTranslation('agents');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => answer(api.DELETE('/api/targets/{target_id}', { params: { path: { target_id: id } } })),
    onSuccess: async () => {
      notifications.show({ message: t('delete.done', { name }) });
      await navigate('/agents');
      queries.removeQueries({ queryKey: keys.target(id) });
      void queries.invalidateQueries({ queryKey: keys.targets() });
    },
  });
  const close = () => {
    onClose();
    remove.reset();
  };
  return (
    <ConfirmDialog opened={opened} onClose={close} onConfirm={() => remove.mutate()} title={t('delete.title', { name })} text={t('delete.text')} loading={remove.isPending} error={remove.error} />
  );
}
