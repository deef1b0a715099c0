import { Anchor, Badge, Button, Paper, Radio, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { RatePoint } from '~/screens/agents/rates/rateSeries';
import { useFormat } from '~/ui/format';
import { RateInterval } from '~/ui/RateInterval';
import { DateTime } from '~/ui/Values';

import classes from './RateTable.module.css';

const SHOWN = 20;
const SIDES = ['a', 'b'] as const;
type Side = (typeof SIDES)[number];

interface Props {
  points: readonly RatePoint[];
  chosen: Record<Side, string | null>;
  onChoose: (side: Side, id: string) => void;
}

/** The figures of the plot, the last point first; in each row one can choose the run as A or as B. */
export function RateTable({ points, chosen, onChoose }: Props) {
  const { t } = useTranslation('agents');
  const [all, setAll] = useState(false);
  const rows = [...points].reverse();
  const shown = all ? rows : rows.slice(0, SHOWN);
  return (
    <Paper>
      <Table.ScrollContainer minWidth={560} type="native">
        <Table aria-label={t('rates.table')} className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              {SIDES.map((side) => (
                <Table.Th key={side} className={classes.choose}>
                  {t(`rates.${side}`)}
                </Table.Th>
              ))}
              <Table.Th>{t('rates.run')}</Table.Th>
              <Table.Th>{t('rates.rate')}</Table.Th>
              <Table.Th>{t('rates.errors')}</Table.Th>
              <Table.Th>{t('rates.when')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((point) => (
              <Row key={point.id} point={point} chosen={chosen} onChoose={onChoose} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {shown.length < rows.length && (
        <Button variant="subtle" m="xs" onClick={() => setAll(true)}>
          {t('rates.all', { count: rows.length })}
        </Button>
      )}
    </Paper>
  );
}

function Row({ point, chosen, onChoose }: { point: RatePoint } & Omit<Props, 'points'>) {
  const { t } = useTranslation('agents');
  const format = useFormat();
  const { id, version, finished, passed, failed, errors, rate, low, high, judgeNoise, complete } = point;
  const name = t('version', { number: version });
  return (
    <Table.Tr data-chosen={id === chosen.a || id === chosen.b || undefined}>
      {SIDES.map((side) => (
        <Table.Td key={side} className={classes.choose}>
          <Radio
            size="xs"
            name={`rates-${side}`}
            aria-label={t(`rates.choose.${side}`, { run: `${name}, ${format.dateTime(finished)}` })}
            checked={chosen[side] === id}
            onChange={() => onChoose(side, id)}
          />
        </Table.Td>
      ))}
      <Table.Td>
        <Anchor component={Link} to={`/runs/${id}`} fw={600}>
          {name}
        </Anchor>{' '}
        {!complete && <Badge color="gray">{t('rates.partialRun')}</Badge>}
      </Table.Td>
      <Table.Td>
        <RateInterval passed={passed} failed={failed} rate={rate} interval={[low, high]} judgeNoise={judgeNoise} />
      </Table.Td>
      <Table.Td>{errors > 0 ? format.number(errors) : <Text c="dimmed">{format.number(0)}</Text>}</Table.Td>
      <Table.Td>
        <DateTime time={finished} />
      </Table.Td>
    </Table.Tr>
  );
}
