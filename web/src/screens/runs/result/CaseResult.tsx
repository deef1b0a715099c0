import { Alert, Button, Center, Loader, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconBinaryTree } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useParams, useSearchParams } from 'react-router';

import type { Schemas } from '~/api/client';
import { ResultLabel } from '~/screens/labels/ResultLabel';
import { Evaluators } from '~/screens/runs/result/Evaluators';
import { InputAndAnswer } from '~/screens/runs/result/InputAndAnswer';
import { Neighbours } from '~/screens/runs/result/Neighbours';
import { ResultFigures } from '~/screens/runs/result/ResultFigures';
import { Section } from '~/screens/runs/result/Section';
import { Trials } from '~/screens/runs/result/Trials';
import { Disagreed } from '~/screens/runs/ResultRow';
import { resultQuery, type Run, runQuery, targetName } from '~/screens/runs/runQueries';
import { asText } from '~/ui/JsonView';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { PageHeader } from '~/ui/PageHeader';
import { TraceView } from '~/ui/trace/TraceView';
import { VerdictBadge } from '~/ui/VerdictBadge';

const MADE_KEY = 'auto-';
const TITLE_LENGTH = 60;

/** One result with everything: what was asked and answered, what each evaluator said, and the trace. */
export default function CaseResult() {
  const { t } = useTranslation('runs');
  const { id = '', caseId = '' } = useParams();
  const [address] = useSearchParams();
  const trial = Math.max(0, Math.floor(Number(address.get('trial'))) || 0);
  const run = useQuery(runQuery(id));
  const detail = useQuery(resultQuery(id, caseId, trial));
  const error = run.error ?? detail.error;
  if (run.data && detail.data) return <Loaded key={`${caseId}/${trial}`} run={run.data} detail={detail.data} />;
  if (error) {
    return (
      <>
        <PageHeader title={t('result.one')} crumbs={[{ label: t('title'), to: '/runs' }]} />
        <ErrorPanel error={error} onRetry={() => void (run.error ? run.refetch() : detail.refetch())} />
      </>
    );
  }
  return (
    <Center mih="40vh">
      <Loader />
    </Center>
  );
}

/** A key that was made from the input says nothing; the input's beginning does. */
function titleOf({ name, key, input }: Schemas['Case-Output']): string {
  if (name || !key.startsWith(MADE_KEY)) return name || key;
  const text = asText(input);
  return text.length > TITLE_LENGTH ? `${text.slice(0, TITLE_LENGTH)}…` : text;
}

function Loaded({ run, detail }: { run: Run; detail: Schemas['CaseDetail'] }) {
  const { t } = useTranslation('runs');
  const { result, case: asked } = detail;
  return (
    <>
      <PageHeader
        title={titleOf(asked)}
        crumbs={[
          { label: t('title'), to: '/runs' },
          { label: `${targetName(run)} · ${run.dataset_name}`, to: `/runs/${run.id}` },
        ]}
        aside={
          <>
            <VerdictBadge verdict={result.verdict} />
            {result.scores.some(({ disagreed, weight }) => disagreed && weight > 0) && <Disagreed />}
          </>
        }
        description={<ResultFigures result={result} asked={asked} />}
        actions={
          <>
            <Button component={Link} to={`/executions/${detail.execution_id}`} variant="default" leftSection={<IconBinaryTree size={16} aria-hidden />}>
              {t('result.execution')}
            </Button>
            <Neighbours run={run} result={result} />
          </>
        }
      />
      <Stack gap="xl">
        <Trials run={run} result={result} />
        {result.failure && (
          <Alert color="gold" icon={<IconAlertTriangle aria-hidden />} title={t('result.failure', { stage: t(`stage.${result.failure.stage}`), type: result.failure.type })} role="alert">
            <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
              {result.failure.message}
            </Text>
          </Alert>
        )}
        <InputAndAnswer asked={asked} result={result} />
        <Evaluators result={result} />
        <Section title={t('result.label')}>
          <ResultLabel runId={run.id} result={result} label={detail.label} />
        </Section>
        <Section title={t('result.trace')}>
          <TraceView trace={detail.trace} />
        </Section>
      </Stack>
    </>
  );
}
