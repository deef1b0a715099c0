import { Paper, Skeleton, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { ApiError } from '~/api/errors';
import { useIngestion } from '~/screens/remote/ingestion';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { Figures } from '~/ui/Figures';
import { useFormat } from '~/ui/format';

/** What became of the spans that exporters sent to this workspace. */
export function IngestionFigures() {
  const { t } = useTranslation('remote');
  const format = useFormat();
  const counts = useIngestion();
  // Members who see some targets only do not see what came for the others.
  if (counts.error instanceof ApiError && counts.error.status === 403) return <Text size="sm">{t('ingestion.ofAll')}</Text>;
  if (counts.isError) return <ErrorPanel error={counts.error} onRetry={() => void counts.refetch()} />;
  if (counts.isPending) return <Skeleton height={96} />;
  const { spans, waiting_spans, rejected_spans, left_out_spans, dropped_traces } = counts.data;
  const figure = (name: 'received' | 'waiting' | 'rejected' | 'leftOut' | 'dropped', value: number) => ({ name: t(`ingestion.${name}`), value: format.number(value), more: t(`ingestion.${name}Help`) });
  return (
    <Paper p="lg">
      <Figures figures={[figure('received', spans), figure('waiting', waiting_spans), figure('rejected', rejected_spans), figure('leftOut', left_out_spans), figure('dropped', dropped_traces)]} />
    </Paper>
  );
}
