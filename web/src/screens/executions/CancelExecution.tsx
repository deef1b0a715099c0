import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBan } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api } from '~/api/client';
import { keys } from '~/api/keys';
import type { Execution } from '~/screens/executions/executions';
import { ConfirmDialog } from '~/ui/ConfirmDialog';
import { RoleGate } from '~/ui/RoleGate';

/** Asks, then gives up an execution that goes on or waits. */
export function CancelExecution({ execution: { id }, size }: { execution: Execution; size?: 'xs' }) {
  const { t } = useTranslation('workflows');
  const queries = useQueryClient();
  const [asked, setAsked] = useState(false);
  const cancel = useMutation({
    mutationFn: () => answer(api.POST('/api/executions/{execution_id}/cancel', { params: { path: { execution_id: id } } })),
    onSuccess: (execution) => {
      queries.setQueryData(keys.execution(id), execution);
      void queries.invalidateQueries({ queryKey: keys.waiting() });
      notifications.show({ message: t('cancel.done') });
      setAsked(false);
    },
  });
  return (
    <>
      <RoleGate role="editor">
        {(gate) => (
          <Button variant="default" size={size} leftSection={<IconBan size={16} aria-hidden />} onClick={() => setAsked(true)} {...gate}>
            {t('cancel.button')}
          </Button>
        )}
      </RoleGate>
      <ConfirmDialog
        opened={asked}
        onClose={() => {
          setAsked(false);
          cancel.reset();
        }}
        onConfirm={() => cancel.mutate()}
        title={t('cancel.title')}
        text={t('cancel.text')}
        confirmLabel={t('cancel.confirm')}
        loading={cancel.isPending}
        error={cancel.error}
      />
    </>
  );
}
