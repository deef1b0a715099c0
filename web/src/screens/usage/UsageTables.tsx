import { Paper, Table, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { type Usage, useCostText, useUnpricedText } from '~/screens/usage/cost';
import { useFormat } from '~/ui/format';

import classes from './UsageTables.module.css';

type Report = Schemas['UsageReport'];

interface Line {
  key: string;
  first: ReactNode;
  side: 'target' | 'judge';
  usage: Usage;
}

/** What each day used, the last one first. */
export function UsageByDay({ report }: { report: Report }) {
  const { t, i18n } = useTranslation('usage');
  // A day of the report is a day in UTC, wherever the reader is.
  const date = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeZone: 'UTC' });
  const lines = [...report.days]
    .sort((a, b) => (a.day === b.day ? (a.side < b.side ? 1 : -1) : a.day < b.day ? 1 : -1))
    .map(({ day, side, usage }) => ({ key: `${day} ${side}`, first: <time dateTime={day}>{date.format(new Date(day))}</time>, side, usage }));
  return <Lines title={t('byDay')} first={t('day')} lines={lines} />;
}

/** What was used of each model. */
export function UsageByModel({ report }: { report: Report }) {
  const { t } = useTranslation('usage');
  const lines = report.models.map(({ model, side, usage }) => ({
    key: `${model} ${side}`,
    first: model || <Text component="span" c="dimmed">{t('noModel')}</Text>,
    side,
    usage,
  }));
  return <Lines title={t('byModel')} first={t('model')} lines={lines} />;
}

function Lines({ title, first, lines }: { title: string; first: string; lines: Line[] }) {
  const { t } = useTranslation('usage');
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id} mb="sm">
        {title}
      </Title>
      <Paper>
        <Table.ScrollContainer minWidth={640} type="native">
          <Table aria-labelledby={id} className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{first}</Table.Th>
                <Table.Th>{t('who')}</Table.Th>
                <Table.Th data-figure>{t('calls')}</Table.Th>
                <Table.Th data-figure>{t('input')}</Table.Th>
                <Table.Th data-figure>{t('output')}</Table.Th>
                <Table.Th data-figure>{t('cost')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {lines.map((line) => (
                <Row key={line.key} line={line} />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
    </section>
  );
}

function Row({ line: { first, side, usage } }: { line: Line }) {
  const { t } = useTranslation('usage');
  const format = useFormat();
  const costOf = useCostText();
  const unpriced = useUnpricedText()(usage);
  return (
    <Table.Tr>
      <Table.Td className={classes.model}>{first}</Table.Td>
      <Table.Td>{t(`side.${side}`)}</Table.Td>
      <Table.Td data-figure>{format.number(usage.calls)}</Table.Td>
      <Table.Td data-figure>{format.number(usage.input_tokens)}</Table.Td>
      <Table.Td data-figure>{format.number(usage.output_tokens)}</Table.Td>
      <Table.Td data-figure>
        {costOf(usage)}
        {unpriced && (
          <Text size="xs" c="dimmed">
            {unpriced}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  );
}
