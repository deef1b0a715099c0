import { Anchor, CloseButton, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { runStateQuery, targetName } from '~/screens/runs/runQueries';

/** That only one run is looked at, leading to it; it can be taken away. */
export function RunChip({ id, onClear }: { id: string; onClear: () => void }) {
  const { t } = useTranslation('calibration');
  const run = useQuery(runStateQuery(id));
  const name = run.data ? `${targetName(run.data)} · ${run.data.dataset_name}` : t('filter.oneRun');
  return (
    <Group gap={4} wrap="nowrap">
      <Anchor component={Link} to={`/runs/${id}`} size="sm">
        {t('filter.run', { run: name })}
      </Anchor>
      <CloseButton size="sm" aria-label={t('filter.clearRun')} onClick={onClear} />
    </Group>
  );
}
