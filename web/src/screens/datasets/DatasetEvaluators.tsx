import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '~/api/errors';
import { BoundRow } from '~/screens/datasets/BoundRow';
import { BindSaved } from '~/screens/datasets/BindSaved';
import { useThisDataset } from '~/screens/datasets/datasets';
import { useBind } from '~/screens/datasets/useBind';
import { EvaluatorDialog } from '~/screens/evaluators/EvaluatorDialog';
import { type Binding, within } from '~/screens/evaluators/specs';
import { EmptyState } from '~/ui/EmptyState';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { RoleGate, useMay } from '~/ui/RoleGate';

/** The evaluators that grade every case of this dataset. Each change counts at once, for the next run. */
export default function DatasetEvaluators() {
  const { t } = useTranslation(['datasets', 'common']);
  const dataset = useThisDataset();
  const { bindings } = dataset.value;
  const { may } = useMay('editor');
  const bind = useBind(dataset);
  const [editing, setEditing] = useState<number | 'new' | null>(null);
  const [choosing, setChoosing] = useState(false);
  const save = (next: readonly Binding[], message: string) => bind.mutateAsync([...next]).then(() => notifications.show({ message }));
  const change = (next: readonly Binding[], message = t('common:saved')) => void save(next, message).catch(() => undefined);
  const write = async (binding: Binding) => {
    const index = editing === 'new' || editing === null ? bindings.length : editing;
    try {
      await save(bindings.toSpliced(index, 1, binding), t('common:saved'));
      setEditing(null);
    } catch (error) {
      if (error instanceof ApiError && error.status === 422) bind.reset();
      throw within(error, `/${index}/spec`);
    }
  };
  const buttons = (
    <Group justify={bindings.length > 0 ? 'flex-start' : 'center'}>
      <RoleGate role="editor">{(gate) => <Button onClick={() => setChoosing(true)} {...gate}>{t('bound.addSaved')}</Button>}</RoleGate>
      <RoleGate role="editor">{(gate) => <Button variant="default" onClick={() => setEditing('new')} {...gate}>{t('bound.addOwn')}</Button>}</RoleGate>
    </Group>
  );
  return (
    <Stack>
      {bind.error && editing === null && <ErrorPanel error={bind.error} />}
      {bindings.length === 0 ? (
        <Paper>
          <EmptyState title={t('bound.emptyTitle')} text={t('bound.emptyText')} action={buttons} />
        </Paper>
      ) : (
        <>
          <Text c="dimmed" maw="70ch">
            {t('bound.lead')}
          </Text>
          {buttons}
          <Paper component="ol" m={0} p={0} style={{ listStyle: 'none' }} aria-label={t('tab.evaluators')}>
            {bindings.map((binding, index) => (
              <BoundRow key={binding.name} binding={binding} index={index} all={bindings} disabled={!may || bind.isPending} onChange={change} onEdit={() => setEditing(index)} />
            ))}
          </Paper>
        </>
      )}
      <EvaluatorDialog key={String(editing)} opened={editing !== null} onClose={() => setEditing(null)} initial={typeof editing === 'number' ? bindings[editing] : undefined} onDone={write} />
      <BindSaved opened={choosing} onClose={() => setChoosing(false)} bound={bindings} onChoose={(saved) => save([...bindings, saved], t('bound.added', { name: saved.name }))} />
    </Stack>
  );
}
