import { ActionIcon, Anchor, Button, Menu, Text } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { Weight } from '~/screens/datasets/Weight';
import type { SavedEvaluator } from '~/screens/evaluators/EvaluatorList';
import type { Binding } from '~/screens/evaluators/specs';
import type { BoundDataset, Rebinding } from '~/screens/evaluators/target/targetEvaluators';

import classes from './BoundHere.module.css';

interface Props {
  evaluator: SavedEvaluator;
  /** The target's datasets. */
  datasets: readonly BoundDataset[];
  disabled: boolean;
  onChange: (change: Rebinding, message: string) => void;
}

/** Which of the target's datasets bind an evaluator, each with its weight, and a way to bind it to another. */
export function BoundHere({ evaluator, datasets, disabled, onChange }: Props) {
  const { t } = useTranslation('evaluators');
  const { id, name } = evaluator;
  const isIt = ({ evaluator_id }: Binding) => evaluator_id === id;
  const bound = datasets.flatMap((dataset) => dataset.evaluators.filter(isIt).map((binding) => ({ dataset, binding })));
  const free = datasets.filter((dataset) => !dataset.evaluators.some(isIt));
  const elsewhere = evaluator.datasets - bound.length;
  const bind = ({ id: datasetId, name: dataset }: BoundDataset) =>
    onChange({ datasetId, change: (all) => [...all, { evaluator_id: id, name, spec: evaluator.spec, version: null, weight: 1 }] }, t('here.boundTo', { name, dataset }));
  return (
    <div className={classes.all}>
      {bound.length > 0 && (
        <ul className={classes.list}>
          {bound.map(({ dataset, binding }) => (
            <li key={dataset.id} className={classes.row}>
              <Anchor component={Link} to={`/datasets/${dataset.id}/evaluators`} size="sm" lineClamp={2} className={classes.name}>
                {dataset.name}
              </Anchor>
              <Weight
                className={classes.weight}
                name={t('here.weightOf', { name, dataset: dataset.name })}
                weight={binding.weight}
                disabled={disabled}
                onChange={(weight) => onChange({ datasetId: dataset.id, change: (all) => all.map((each) => (isIt(each) ? { ...each, weight } : each)) }, t(weight === 0 ? 'here.informs' : 'here.weighted', { name, dataset: dataset.name, weight }))}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                disabled={disabled}
                aria-label={t('here.unbind', { name, dataset: dataset.name })}
                onClick={() => onChange({ datasetId: dataset.id, change: (all) => all.filter((each) => !isIt(each)) }, t('here.unbound', { name, dataset: dataset.name }))}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            </li>
          ))}
        </ul>
      )}
      {bound.length === 0 && elsewhere === 0 && (
        <Text size="sm" c="dimmed">
          {t('here.notBound')}
        </Text>
      )}
      {elsewhere > 0 && (
        <Text size="sm" c="dimmed">
          {t('here.elsewhere', { count: elsewhere })}
        </Text>
      )}
      {free.length > 0 && !disabled && (
        <Menu position="bottom-start" withinPortal>
          <Menu.Target>
            <Button variant="subtle" size="compact-sm" className={classes.bind} leftSection={<IconPlus size={14} aria-hidden />} aria-label={t('here.bindOf', { name })}>
              {t('here.bind')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown className={classes.menu}>
            {free.map((dataset) => (
              <Menu.Item key={dataset.id} onClick={() => bind(dataset)}>
                {dataset.name}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  );
}
