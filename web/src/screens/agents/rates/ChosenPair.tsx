import { Button, Group, Paper, Text } from '@mantine/core';
import { IconArrowsExchange, IconGitCompare } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { RatePoint } from '~/screens/agents/rates/rateSeries';
import { useFormat } from '~/ui/format';

import classes from '~/screens/runs/ChosenBar.module.css';

interface Props {
  points: readonly RatePoint[];
  chosen: { a: string | null; b: string | null };
  onChange: (chosen: Props['chosen']) => void;
}

/** The two runs that were chosen, A the baseline; it stands at the foot of the window. */
export function ChosenPair({ points, chosen, onChange }: Props) {
  const { t } = useTranslation(['agents', 'common']);
  const format = useFormat();
  const { a, b } = chosen;
  if (a === null && b === null) return null;
  const name = (id: string | null) => {
    const point = points.find((one) => one.id === id);
    return point ? t('rates.pair.one', { version: point.version, rate: format.percent(point.rate), when: format.dateTime(point.finished) }) : t('rates.pair.none');
  };
  return (
    <Paper className={classes.bar} shadow="md" role="region" aria-label={t('rates.pair.label')}>
      <Text size="sm" className={classes.text} role="status" component="div">
        <div>{t('rates.pair.a', { run: name(a) })}</div>
        <div>{t('rates.pair.b', { run: name(b) })}</div>
      </Text>
      <Group gap="xs">
        <Button variant="default" onClick={() => onChange({ a: null, b: null })}>
          {t('common:clear')}
        </Button>
        <Button variant="default" leftSection={<IconArrowsExchange size={16} aria-hidden />} onClick={() => onChange({ a: b, b: a })}>
          {t('rates.pair.swap')}
        </Button>
        {a !== null && b !== null && a !== b && (
          <Button component={Link} to={`/compare?a=${a}&b=${b}`} leftSection={<IconGitCompare size={16} aria-hidden />}>
            {t('rates.pair.compare')}
          </Button>
        )}
      </Group>
    </Paper>
  );
}
