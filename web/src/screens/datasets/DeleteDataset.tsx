import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api } from '~/api/client';
import { keys } from '~/api/keys';
import { ConfirmDialog } from '~/ui/ConfirmDialog';

interface Named {
  id: string;
  name: string;
}

interface Props {
  /** The one to delete; null while nothing is asked. */
  dataset: Named | null;
  onClose: () => void;
  onDone?: () => void;
}

/** Asks, then deletes a dataset with its cases. */
export function DeleteDataset({ dataset, onClose, onDone }: Props) {
  const { t } = useTranslation('datasets');
  const queries = useQueryClient();
  // The name stays while the dialog fades.
  const [shown, setShown] = useState(dataset);
  if (dataset && dataset !== shown) setShown(dataset);
  const name = shown?.name ?? '';
  const close = () => {
    onClose();
    remove.reset();
  };
  const remove = useMutation({
    mutationFn: (id: string) => answer(api.DELETE('/api/eval/datasets/{dataset_id}', { params: { path: { dataset_id: id } } })),
    onSuccess: (_, id) => {
      notifications.show({ message: t('deleted', { name }) });
      close();
      onDone?.();
      // What is shown of the deleted one is left alone until its page is gone: it would be a 404.
      void queries.invalidateQueries({ queryKey: keys.datasets(), predicate: ({ queryKey }) => queryKey[1] !== id });
    },
  });
  return (
    <ConfirmDialog
      opened={dataset !== null}
      onClose={close}
      onConfirm={() => dataset && remove.mutate(dataset.id)}
      title={t('delete.title', { name })}
      text={t('delete.text')}
      loading={remove.isPending}
      error={remove.error}
    />
  );
}
