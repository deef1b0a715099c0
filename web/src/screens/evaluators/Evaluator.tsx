import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';

import { EvaluatorEditor } from '~/screens/evaluators/EvaluatorEditor';
import { savedQuery } from '~/screens/evaluators/evaluatorQueries';
import { useEvaluatorKinds } from '~/screens/evaluators/kinds';
import { kindOf } from '~/screens/evaluators/specs';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { PageHeader } from '~/ui/PageHeader';

/** One saved evaluator: change it, try it, delete it. */
export default function Evaluator() {
  const { t } = useTranslation('evaluators');
  const { id = '' } = useParams();
  const kinds = useEvaluatorKinds();
  const found = useQuery({ ...savedQuery(id), refetchOnWindowFocus: false });
  const [round, setRound] = useState(0);
  const reload = () => void found.refetch().then(() => setRound(round + 1));
  const crumbs = [{ label: t('title'), to: '/evaluators' }];
  const error = found.error ?? kinds.error;
  if (error) {
    return (
      <>
        <PageHeader title={t('title')} crumbs={crumbs} />
        <ErrorPanel error={error} onRetry={() => void found.refetch()} />
      </>
    );
  }
  if (!found.data || !kinds.data) return <Skeleton height={360} />;
  const kind = kinds.data.find((known) => known.kind === kindOf(found.data.value.spec));
  return <EvaluatorEditor key={round} saved={found.data} initialKind={kind} reload={reload} />;
}
