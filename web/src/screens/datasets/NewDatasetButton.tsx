import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IconUpload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { DatasetForm } from '~/screens/datasets/DatasetForm';
import { RoleGate } from '~/ui/RoleGate';

interface Props {
  /** The target that it is made for. */
  targetId?: string;
  /** Whether its cases come from a file, which is the next step then. */
  importing?: boolean;
}

/** Asks for a name, creates the dataset and leads to it. */
export function NewDatasetButton({ targetId, importing = false }: Props) {
  const { t } = useTranslation(['datasets', 'common']);
  const [opened, dialog] = useDisclosure(false);
  const queries = useQueryClient();
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: (body: Schemas['NewDataset']) => answer(api.POST('/api/eval/datasets', { body })),
    onSuccess: ({ id, name }) => {
      notifications.show({ message: t('created', { name }) });
      void queries.invalidateQueries({ queryKey: keys.datasets() });
      void navigate(`/datasets/${id}${importing ? '/import' : ''}`);
    },
  });
  const close = () => {
    dialog.close();
    create.reset();
  };
  const label = importing ? t('newFromFile') : t('new');
  return (
    <>
      <RoleGate role="editor">
        {(gate) => (
          <Button variant={importing ? 'default' : 'filled'} leftSection={importing && <IconUpload size={16} aria-hidden />} onClick={dialog.open} {...gate}>
            {label}
          </Button>
        )}
      </RoleGate>
      <Modal opened={opened} onClose={close} title={label} size="lg" closeButtonProps={{ 'aria-label': t('common:close') }}>
        <DatasetForm
          initial={{ name: '', description: '', target_id: targetId ?? null, judge_samples: 1 }}
          submitLabel={importing ? t('createAndImport') : t('common:create')}
          onSubmit={(values) => create.mutate(values)}
          onCancel={close}
          saving={create.isPending}
          error={create.error}
        />
      </Modal>
    </>
  );
}
