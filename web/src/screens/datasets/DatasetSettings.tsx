import { Button, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { useChangeDataset, useThisDataset } from '~/screens/datasets/datasets';
import { DeleteDataset } from '~/screens/datasets/DeleteDataset';
import { JudgeSamples } from '~/screens/datasets/JudgeSamples';
import { TargetSelect } from '~/screens/datasets/TargetSelect';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { RoleGate, useMay } from '~/ui/RoleGate';

/** How a dataset is judged and what it is made for; each choice counts at once. And the way to delete it. */
export default function DatasetSettings() {
  const { t } = useTranslation(['datasets', 'common']);
  const dataset = useThisDataset();
  const { may, reason } = useMay('editor');
  const change = useChangeDataset(dataset, () => notifications.show({ message: t('common:saved') }));
  const locked = !may || change.isPending;
  return (
    <Stack gap="lg" maw={720}>
      <Paper p="lg">
        <Stack gap="lg">
          <JudgeSamples value={dataset.value.judge_samples} onChange={(judge_samples) => change.mutate({ judge_samples })} disabled={locked} />
          <SamplesHelp />
          <TargetSelect label={t('field.target')} description={t('field.targetHelp')} value={dataset.value.target_id} onChange={(target_id) => change.mutate({ target_id })} disabled={locked} />
          {!may && <Text size="sm">{reason}</Text>}
          {change.error && <ErrorPanel error={change.error} />}
        </Stack>
      </Paper>
      <DeletePart name={dataset.value.name} id={dataset.value.id} />
    </Stack>
  );
}

/** What judge samples cost, what they give, and from when on they count. */
function SamplesHelp() {
  const { t } = useTranslation('datasets');
  return (
    <List size="sm" spacing={4} c="dimmed">
      {(['cost', 'gives', 'advice', 'next'] as const).map((part) => (
        <List.Item key={part}>{t(`samples.${part}`)}</List.Item>
      ))}
    </List>
  );
}

function DeletePart({ id, name }: { id: string; name: string }) {
  const { t } = useTranslation('datasets');
  const navigate = useNavigate();
  const [asked, setAsked] = useState(false);
  return (
    <Paper p="lg">
      <Group justify="space-between">
        <div>
          <Title order={2}>{t('settings.delete')}</Title>
          <Text size="sm" c="dimmed">
            {t('delete.text')}
          </Text>
        </div>
        <RoleGate role="editor">
          {(gate) => (
            <Button variant="default" onClick={() => setAsked(true)} {...gate}>
              {t('settings.deleteButton')}
            </Button>
          )}
        </RoleGate>
      </Group>
      <DeleteDataset dataset={asked ? { id, name } : null} onClose={() => setAsked(false)} onDone={() => void navigate('/datasets')} />
    </Paper>
  );
}
