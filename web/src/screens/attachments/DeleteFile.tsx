import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api } from '~/api/client';
import { keys } from '~/api/keys';
import type { AttachmentEntry } from '~/screens/attachments/files';
import { ConfirmDialog } from '~/ui/ConfirmDialog';

interface Props {
  /** The one to delete; null while nothing is asked. */
  file: AttachmentEntry | null;
  onClose: () => void;
}

/** Asks, then deletes a file of the workspace. */
export function DeleteFile({ file, onClose }: Props) {
  const { t } = useTranslation('attachments');
  const queries = useQueryClient();
  // The name stays while the dialog fades.
  const [shown, setShown] = useState(file);
  if (file && file !== shown) setShown(file);
  const name = shown?.name ?? '';
  const close = () => {
    onClose();
    remove.reset();
  };
  const remove = useMutation({
    mutationFn: (hash: string) => answer(api.DELETE('/api/eval/attachments/{file_hash}', { params: { path: { file_hash: hash } } })),
    onSuccess: () => {
      notifications.show({ message: t('delete.done', { name }) });
      close();
      void queries.invalidateQueries({ queryKey: keys.attachments() });
    },
  });
  return (
    <ConfirmDialog opened={file !== null} onClose={close} onConfirm={() => file && remove.mutate(file.hash)} title={t('delete.title', { name })} text={t('delete.text')} loading={remove.isPending} error={remove.error} />
  );
}
