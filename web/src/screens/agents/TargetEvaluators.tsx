import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';

import { EvaluationViews } from '~/screens/agents/EvaluationViews';
import { useThisTarget } from '~/screens/agents/targets';
import { EvaluatorList, NewEvaluatorButton, useEvaluators } from '~/screens/evaluators/EvaluatorList';
import { BindToTarget } from '~/screens/evaluators/target/BindToTarget';
import { BoundHere } from '~/screens/evaluators/target/BoundHere';
import { DefaultsMade } from '~/screens/evaluators/target/DefaultsMade';
import { type Rebinding, useBoundDatasets, useDefaults, useRebind } from '~/screens/evaluators/target/targetEvaluators';
import { WrittenThere } from '~/screens/evaluators/target/WrittenThere';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useMay } from '~/ui/RoleGate';

/** The evaluators of a target: its own and those that its datasets bind. One that has none gets the default ones. */
export default function TargetEvaluators() {
  const { t } = useTranslation('evaluators');
  const { id } = useThisTarget().value;
  const { may, reason } = useMay('editor');
  const bound = useBoundDatasets(id);
  const all = useEvaluators({ q: '', kind: null, target: id, page: 1, size: 1 });
  const datasets = bound.data?.items ?? [];
  const hasNone = all.data?.total === 0 && bound.data !== undefined && datasets.every(({ evaluators }) => evaluators.length === 0);
  const defaults = useDefaults(id, hasNone && may);
  const rebind = useRebind();
  const change = (rebinding: Rebinding, message: string) => rebind.mutate(rebinding, { onSuccess: () => notifications.show({ message }) });
  const error = bound.error ?? defaults.error ?? rebind.error;
  const empty = {
    title: t('here.emptyTitle'),
    text: hasNone && !may ? t('here.emptyViewer', { reason }) : t('here.emptyText'),
    action: <NewEvaluatorButton targetId={id} />,
  };
  return (
    <>
      <EvaluationViews
        targetId={id}
        action={
          <Group gap="sm">
            <BindToTarget datasets={datasets} />
            <NewEvaluatorButton targetId={id} />
          </Group>
        }
      />
      <Text c="dimmed" mb="md" maw="75ch">
        {t('here.lead')}
      </Text>
      {defaults.data && <DefaultsMade made={defaults.data} />}
      {error && <ErrorPanel error={error} onRetry={() => (defaults.error ? defaults.mutate() : void bound.refetch())} />}
      {defaults.isPending || (hasNone && may && defaults.isIdle) ? (
        <Skeleton height={240} aria-label={t('defaults.making')} />
      ) : (
        <Stack gap="xl">
          <EvaluatorList
            target={{ id, empty, bound: (evaluator) => <BoundHere evaluator={evaluator} datasets={datasets} disabled={!may || rebind.isPending} onChange={change} /> }}
          />
          <WrittenThere datasets={datasets} />
        </Stack>
      )}
    </>
  );
}
