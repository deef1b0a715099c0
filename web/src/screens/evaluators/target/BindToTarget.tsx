import { Button, Select } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { BindSaved } from '~/screens/datasets/BindSaved';
import { type BoundDataset, useRebind } from '~/screens/evaluators/target/targetEvaluators';
import { RoleGate } from '~/ui/RoleGate';

/** Binds one of the workspace's saved evaluators to a dataset of the target; the first is chosen already. */
export function BindToTarget({ datasets }: { datasets: readonly BoundDataset[] }) {
  const { t } = useTranslation(['evaluators', 'datasets']);
  const [opened, setOpened] = useState(false);
  const [chosen, setChosen] = useState<string | null>(null);
  const rebind = useRebind();
  const dataset = datasets.find(({ id }) => id === chosen) ?? datasets[0];
  if (!dataset) return null;
  return (
    <>
      <RoleGate role="editor">
        {(gate) => (
          <Button variant="default" onClick={() => setOpened(true)} {...gate}>
            {t('datasets:bound.addSaved')}
          </Button>
        )}
      </RoleGate>
      <BindSaved
        opened={opened}
        onClose={() => setOpened(false)}
        bound={dataset.evaluators}
        head={
          datasets.length > 1 && (
            <Select
              label={t('here.dataset')}
              data={datasets.map(({ id, name }) => ({ value: id, label: name }))}
              value={dataset.id}
              onChange={setChosen}
              allowDeselect={false}
              searchable={datasets.length > 8}
            />
          )
        }
        onChoose={async (binding) => {
          await rebind.mutateAsync({ datasetId: dataset.id, change: (all) => [...all, binding] });
          notifications.show({ message: t('here.boundTo', { name: binding.name, dataset: dataset.name }) });
        }}
      />
    </>
  );
}
