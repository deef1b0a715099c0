import { Anchor, Badge, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { Run } from '~/screens/runs/runQueries';
import { useFormat } from '~/ui/format';
import { DateTime } from '~/ui/Values';

/** Who started a run, when, on what, and how. */
export function RunFacts({ run }: { run: Run }) {
  const { t } = useTranslation('runs');
  const format = useFormat();
  const { spec } = run;
  const took = run.started_at && run.finished_at ? (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000 : null;
  return (
    <Group gap="4px 16px" fz="sm" c="dimmed">
      <span>
        <StartedBy run={run} /> {'·'} <DateTime time={run.created_at} />
      </span>
      {took !== null && <span>{t('facts.took', { time: format.duration(took) })}</span>}
      <Anchor component={Link} to={`/agents/${run.target_id}`} inherit>
        {run.target_name}
      </Anchor>
      <Anchor component={Link} to={`/datasets/${run.dataset_id}`} inherit>
        {run.dataset_name}
      </Anchor>
      {spec.judge && <span>{t('facts.judge', { model: spec.judge.model, count: spec.judge.samples })}</span>}
      {spec.limits.trials > 1 && <span>{t('facts.trials', { count: spec.limits.trials })}</span>}
      {spec.case_keys && <span>{t('facts.subset', { count: spec.case_keys.length })}</span>}
      {spec.allow_side_effects && <span>{t('facts.sideEffects')}</span>}
      {spec.parent_id && (
        <Anchor component={Link} to={`/runs/${spec.parent_id}`} inherit>
          {spec.regrades ? t('facts.regrades') : t('facts.retries')}
        </Anchor>
      )}
      {spec.tags.map((tag) => (
        <Badge key={tag} color="gray">
          {tag}
        </Badge>
      ))}
    </Group>
  );
}

/** Who started it; a schedule by its name, as the server says it. */
function StartedBy({ run: { started_by, schedule_id } }: { run: Run }) {
  const { t } = useTranslation('runs');
  if (schedule_id === null) return t('facts.by', { name: started_by });
  return (
    <Anchor component={Link} to={`/schedules/${schedule_id}`} inherit>
      {t('facts.bySchedule', { name: started_by.replace(/^schedule /, '') })}
    </Anchor>
  );
}
