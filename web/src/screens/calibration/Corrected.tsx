import { Anchor, Table, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import type { Schemas } from '~/api/client';
import { wholePercent } from '~/screens/runs/meaning';
import { useFormat } from '~/ui/format';
import { IntervalBar } from '~/ui/RateInterval';

import classes from './Calibration.module.css';

type Run = Schemas['CorrectedRate'];

/** Pass rates of runs as people would have given them, or why that cannot be said. */
export function Corrected({ corrected }: { corrected: readonly Run[] }) {
  const { t } = useTranslation('calibration');
  const format = useFormat();
  if (corrected.length === 0) return null;
  return (
    <section>
      <Title order={3} mt="lg" mb="xs">
        {t('corrected.title')}
      </Title>
      <Table.ScrollContainer minWidth={620} type="native">
        <Table aria-label={t('corrected.title')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('corrected.run')}</Table.Th>
              <Table.Th ta="right">{t('corrected.judged')}</Table.Th>
              <Table.Th ta="right">{t('corrected.observed')}</Table.Th>
              <Table.Th w="45%">{t('corrected.rate')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {corrected.map((run) => (
              <Table.Tr key={run.run_id}>
                <Table.Td>
                  <Anchor component={Link} to={`/runs/${run.run_id}`}>
                    {t('corrected.name', { target: run.target_name, version: run.target_version })}
                  </Anchor>
                  <div className={classes.text}>{run.dataset_name}</div>
                </Table.Td>
                <Table.Td ta="right">{t('corrected.of', { judged: format.number(run.judged), decided: format.number(run.decided) })}</Table.Td>
                <Table.Td ta="right">{run.observed === null ? '–' : format.percent(run.observed)}</Table.Td>
                <Table.Td>
                  <Rate run={run} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </section>
  );
}

/** The corrected rate; of the judged part alone where other judges decided too; else why there is none. */
function Rate({ run }: { run: Run }) {
  const { t } = useTranslation('calibration');
  const whole = run.rate !== null && run.interval !== null;
  const rate = whole ? run.rate : run.judged_rate;
  const interval = whole ? run.interval : run.judged_interval;
  if (rate === null || interval === null) return <span className={classes.text}>{t(`corrected.why.${run.status}`)}</span>;
  const [low, high] = interval;
  const words = t('corrected.value', { rate: wholePercent(rate), low: wholePercent(low), high: wholePercent(high) });
  return (
    <>
      <div>{words}</div>
      <IntervalBar low={low} high={high} rate={rate} />
      {!whole && <div className={classes.text}>{t('corrected.why.not_alone')}</div>}
    </>
  );
}
