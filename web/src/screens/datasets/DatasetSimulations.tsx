import { Box, Paper, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { useChangeDataset, useThisDataset } from '~/screens/datasets/datasets';
import { TargetSelect } from '~/screens/datasets/TargetSelect';
import { within } from '~/screens/evaluators/specs';
import { SimulationList } from '~/screens/simulations/SimulationList';
import { type Simulation, type Simulations, without } from '~/screens/simulations/simulations';
import { TargetSimulations } from '~/screens/simulations/TargetSimulations';
import { ConfirmDialog } from '~/ui/ConfirmDialog';
import { useListParams } from '~/ui/listParams';
import { pointerOf } from '~/ui/schema-form/values';

/** What stands in for the tools and steps of a target in every case. Each change counts at once, for the next run. */
export default function DatasetSimulations() {
  const { t } = useTranslation(['simulations', 'common']);
  const dataset = useThisDataset();
  const { filter, setFilter } = useListParams();
  const [removed, setRemoved] = useState<string | null>(null);
  const change = useChangeDataset(dataset, () => notifications.show({ message: t('common:saved') }));
  const { target_id } = dataset.value;
  const asked = filter('target');
  const target = asked ?? target_id;
  const simulations = dataset.value.simulations as Simulations;
  const open = (name: string | null) => setFilter('component', name);
  const save = async (name: string, simulation: Simulation) => {
    try {
      await change.mutateAsync({ simulations: { ...simulations, [name]: simulation } });
      open(null);
    } catch (error) {
      throw within(error, pointerOf(['simulations', name]));
    }
  };
  const askRemove = (name: string | null) => {
    change.reset();
    setRemoved(name);
  };
  const remove = () => removed !== null && change.mutate({ simulations: without(simulations, removed) }, { onSuccess: () => askRemove(null) });
  return (
    <Stack>
      <Text c="dimmed" maw="75ch">
        {t('lead')}
      </Text>
      {(target_id === null || (asked !== null && asked !== target_id)) && (
        <Box maw={480}>
          <TargetSelect label={t('target')} description={t('targetHelp')} value={target} onChange={(id) => setFilter('target', id)} />
        </Box>
      )}
      {target !== null ? (
        <TargetSimulations key={target} target={target} simulations={simulations} open={filter('component')} onOpen={open} onDone={save} onRemove={askRemove} submitLabel={t('common:save')} />
      ) : (
        Object.keys(simulations).length > 0 && (
          <Paper>
            <SimulationList components={null} simulations={simulations} onEdit={open} onRemove={askRemove} />
          </Paper>
        )
      )}
      <ConfirmDialog opened={removed !== null} onClose={() => askRemove(null)} onConfirm={remove} title={t('remove.title', { name: removed ?? '' })} text={t('remove.text')} confirmLabel={t('common:remove')} loading={change.isPending} error={change.error} />
    </Stack>
  );
}
