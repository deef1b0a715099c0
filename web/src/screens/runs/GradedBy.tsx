import { Anchor, Badge, Group, Paper, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { answer, api } from '~/api/client';
import { keys } from '~/api/keys';
import { definitionText } from '~/screens/agents/definition/definitionText';
import { historyAddress } from '~/screens/evaluators/history/versions';
import { useKindName } from '~/screens/evaluators/kinds';
import { type Binding, fieldsOf, kindOf } from '~/screens/evaluators/specs';
import { ErrorPanel } from '~/ui/ErrorPanel';

import classes from './GradedBy.module.css';

/** What graded a run, as it was then: asked for once somebody wants to see it. */
export function GradedBy({ runId }: { runId: string }) {
  const { t } = useTranslation('runs');
  const [opened, setOpened] = useState(false);
  return (
    <details className={classes.all} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary>{t('gradedBy.title')}</summary>
      {opened && <Evaluators runId={runId} />}
    </details>
  );
}

function Evaluators({ runId }: { runId: string }) {
  const { t } = useTranslation('runs');
  const found = useQuery({
    queryKey: [...keys.run(runId), 'evaluators'],
    queryFn: ({ signal }) => answer(api.GET('/api/eval/runs/{run_id}/evaluators', { params: { path: { run_id: runId } }, signal })),
    staleTime: Infinity,
  });
  if (found.error) return <ErrorPanel error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton height={80} mt="xs" />;
  return (
    <>
      <Text size="sm" c="dimmed" my="xs" maw="75ch">
        {t(found.data.length === 0 ? 'gradedBy.none' : 'gradedBy.lead')}
      </Text>
      {found.data.length > 0 && (
        <Paper component="ul" className={classes.list}>
          {found.data.map((binding) => (
            <li key={binding.name} className={classes.row}>
              <Frozen binding={binding} />
            </li>
          ))}
        </Paper>
      )}
    </>
  );
}

function Frozen({ binding: { name, weight, spec, evaluator_id, version } }: { binding: Binding }) {
  const { t } = useTranslation('runs');
  const nameOf = useKindName();
  const text = definitionText(fieldsOf(spec));
  return (
    <>
      <Group gap="xs">
        {evaluator_id ? (
          <Anchor component={Link} to={historyAddress(evaluator_id)} fw={600} c="inherit">
            {name}
          </Anchor>
        ) : (
          <Text fw={600}>{name}</Text>
        )}
        {version !== null && <Badge color="gray">{t('gradedBy.version', { number: version })}</Badge>}
        <Text size="sm" c="dimmed">
          {nameOf(kindOf(spec))} · {weight === 0 ? t('gradedBy.informs') : t('gradedBy.weight', { weight })}
        </Text>
      </Group>
      {text && <pre className={classes.spec}>{text}</pre>}
    </>
  );
}
