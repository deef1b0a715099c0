import { Anchor, Paper, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { useKindName } from '~/screens/evaluators/kinds';
import { kindOf } from '~/screens/evaluators/specs';
import type { BoundDataset } from '~/screens/evaluators/target/targetEvaluators';

import classes from './WrittenThere.module.css';

/** The evaluators that are written on one dataset alone, which have no history of their own. */
export function WrittenThere({ datasets }: { datasets: readonly BoundDataset[] }) {
  const { t } = useTranslation('evaluators');
  const nameOf = useKindName();
  const written = datasets.flatMap((dataset) => dataset.evaluators.filter(({ evaluator_id }) => evaluator_id === null).map((binding) => ({ dataset, binding })));
  if (written.length === 0) return null;
  return (
    <section aria-labelledby="written-there">
      <Title order={3} id="written-there">
        {t('here.writtenTitle')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm" maw="70ch">
        {t('here.writtenText')}
      </Text>
      <Paper component="ul" className={classes.list}>
        {written.map(({ dataset, binding }) => (
          <li key={`${dataset.id} ${binding.name}`} className={classes.row}>
            <div className={classes.what}>
              <Text fw={600}>{binding.name}</Text>
              <Text size="sm" c="dimmed">
                {nameOf(kindOf(binding.spec))} · {binding.weight === 0 ? t('here.informsOnly') : t('here.weight', { weight: binding.weight })}
              </Text>
            </div>
            <Anchor component={Link} to={`/datasets/${dataset.id}/evaluators`} size="sm">
              {dataset.name}
            </Anchor>
          </li>
        ))}
      </Paper>
    </section>
  );
}
