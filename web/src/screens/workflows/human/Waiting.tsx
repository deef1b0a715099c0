import { Anchor, Pagination, Paper, Skeleton, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { AnswerForm } from '~/screens/workflows/human/AnswerForm';
import { Question } from '~/screens/workflows/human/Question';
import { useWaiting, type WaitingStep } from '~/screens/workflows/human/waiting';
import { EmptyState } from '~/ui/EmptyState';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useListParams } from '~/ui/listParams';
import { PageHeader } from '~/ui/PageHeader';
import { DateTime } from '~/ui/Values';

import classes from './Human.module.css';

const PAGE = 10;

/** Every step of the workspace that waits for a person, the oldest first, each with the form of its answer. */
export default function Waiting() {
  const { t } = useTranslation(['workflows', 'ui']);
  const params = useListParams(PAGE);
  const waiting = useWaiting(params.page, params.size);
  const { data } = waiting;
  return (
    <>
      <PageHeader title={t('waiting.title')} description={t('waiting.lead')} />
      {waiting.isError && !data && <ErrorPanel error={waiting.error} onRetry={() => void waiting.refetch()} />}
      {waiting.isPending && <Skeleton height={240} />}
      {data?.total === 0 && (
        <Paper>
          <EmptyState title={t('waiting.empty.title')} text={t('waiting.empty.text')} />
        </Paper>
      )}
      {data && data.total > 0 && (
        <Stack maw={820}>
          <ul className={classes.list} aria-label={t('waiting.title')}>
            {data.items.map((step) => (
              <li key={`${step.execution_id} ${step.step}`}>
                <Asked step={step} />
              </li>
            ))}
          </ul>
          {data.pages > 1 && <Pagination size="sm" total={data.pages} value={params.page} onChange={params.setPage} getControlProps={(control) => ({ 'aria-label': t(`ui:table.${control}`) })} getItemProps={(page) => ({ 'aria-label': t('ui:table.page', { page }) })} />}
        </Stack>
      )}
    </>
  );
}

function Asked({ step }: { step: WaitingStep }) {
  const { t } = useTranslation('workflows');
  const aside = (
    <>
      <DateTime time={step.asked_at} /> {'·'}{' '}
      <Anchor component={Link} to={`/executions/${step.execution_id}`} inherit underline="always">
        {t('waiting.open')}
      </Anchor>
    </>
  );
  return (
    <Question title={t('waiting.of', { step: step.step, target: step.target_name, version: step.version })} aside={aside} question={step.question}>
      <AnswerForm executionId={step.execution_id} step={step} />
    </Question>
  );
}
