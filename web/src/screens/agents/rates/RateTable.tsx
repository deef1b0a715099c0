import { Anchor, Table } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { RatePoint } from '~/screens/agents/rates/rateSeries';
import { RateInterval } from '~/ui/RateInterval';
import { DateTime } from '~/ui/Values';

import classes from './RateTable.module.css';

/** The figures of the plot, newest first, folded until somebody wants them. */
export function RateTable({ points }: { points: readonly RatePoint[] }) {
  const { t } = useTranslation('agents');
  return (
    <details className={classes.details}>
      <summary>{t('rates.table')}</summary>
      <Table.ScrollContainer minWidth={420} type="native">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('versions.number')}</Table.Th>
              <Table.Th>{t('rates.rate')}</Table.Th>
              <Table.Th>{t('rates.when')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {[...points].reverse().map((point) => (
              <Table.Tr key={point.id}>
                <Table.Td>
                  <Anchor component={Link} to={`/runs/${point.id}`}>
                    {t('version', { number: point.version })}
                  </Anchor>
                </Table.Td>
                <Table.Td>
                  <RateInterval passed={point.passed} failed={point.failed} rate={point.rate} interval={[point.low, point.high]} />
                </Table.Td>
                <Table.Td>
                  <DateTime time={point.finished} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </details>
  );
}
