import { Button, Table } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import type { OnlineBucket, OnlineRate } from '~/screens/online/onlineQueries';
import { useFormat } from '~/ui/format';
import { RateInterval } from '~/ui/RateInterval';

/** The figures of the plot as a table, the newest first, once asked for. */
export function RateRows({ rate }: { rate: OnlineRate }) {
  const { t } = useTranslation('online');
  const [shown, setShown] = useState(false);
  const rows = rate.buckets.filter(isSomething).reverse();
  if (rows.length === 0) return null;
  return (
    <>
      <Button variant="subtle" size="compact-sm" mt="xs" aria-expanded={shown} onClick={() => setShown(!shown)}>
        {t(shown ? 'rate.hideRows' : 'rate.showRows')}
      </Button>
      {shown && (
        <Table.ScrollContainer minWidth={520} type="native" mah={360}>
          <Table aria-label={t('rate.rows')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t(rate.bucket === 'hour' ? 'rate.hour' : 'rate.day')}</Table.Th>
                <Table.Th>{t('rate.rate')}</Table.Th>
                <Table.Th ta="right">{t('rate.errors')}</Table.Th>
                <Table.Th ta="right">{t('rate.skipped')}</Table.Th>
                <Table.Th ta="right">{t('rate.cost')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((bucket) => (
                <Row key={bucket.start} bucket={bucket} byHour={rate.bucket === 'hour'} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </>
  );
}

function Row({ bucket, byHour }: { bucket: OnlineBucket; byHour: boolean }) {
  const format = useFormat();
  const { start, passed, failed, errors, skipped, rate, interval, judge_noise, cost } = bucket;
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{byHour ? format.dateTime(start) : format.date(start)}</Table.Td>
      <Table.Td>
        <RateInterval passed={passed} failed={failed} rate={rate} interval={interval} judgeNoise={judge_noise} />
      </Table.Td>
      <Table.Td ta="right">{format.number(errors)}</Table.Td>
      <Table.Td ta="right">{format.number(skipped)}</Table.Td>
      <Table.Td ta="right">{cost === null ? '–' : format.money(cost)}</Table.Td>
    </Table.Tr>
  );
}

function isSomething({ passed, failed, errors, skipped, gone }: OnlineBucket): boolean {
  return passed + failed + errors + skipped + gone > 0;
}
