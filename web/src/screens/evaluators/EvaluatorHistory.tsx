import { Alert, Button, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';

import { ApiError } from '~/api/errors';
import { savedQuery } from '~/screens/evaluators/evaluatorQueries';
import { SpecDiff } from '~/screens/evaluators/history/SpecDiff';
import { useEvaluatorVersions, useRestore } from '~/screens/evaluators/history/versions';
import { VersionTable } from '~/screens/evaluators/history/VersionTable';
import { ConfirmDialog } from '~/ui/ConfirmDialog';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useListParams } from '~/ui/listParams';
import { PageHeader } from '~/ui/PageHeader';
import { OwnTargetOnly } from '~/ui/RoleGate';

const PAGE = 10;

/** What an evaluator was: its versions, what differs between two of them (`?a=1&b=3`), and the way back to one. */
export default function EvaluatorHistory() {
  const { t } = useTranslation('evaluators');
  const { id = '' } = useParams();
  const params = useListParams(PAGE);
  const saved = useQuery(savedQuery(id));
  const versions = useEvaluatorVersions(id, params.page, params.size);
  const [restoring, setRestoring] = useState<number | null>(null);
  const restore = useRestore(id, saved.data?.etag ?? '*', () => setRestoring(null));
  const gone = saved.error instanceof ApiError && saved.error.status === 404;
  const newest = saved.data?.value.version ?? versions.data?.items[0]?.number ?? 0;
  const sides = sidesOf(params.filter('a'), params.filter('b'), newest);
  const show = ({ a, b }: { a: number; b: number }) => params.setFilters({ a: String(a), b: String(b) });
  const name = saved.data?.value.name;
  return (
    <>
      <PageHeader
        title={name ? t('history.of', { name }) : t('history.title')}
        crumbs={[{ label: t('title'), to: '/evaluators' }, ...(name ? [{ label: name, to: `/evaluators/${id}` }] : [])]}
        description={t('history.lead')}
        actions={name && <Button component={Link} to={`/evaluators/${id}`} variant="default">{t('history.toEvaluator')}</Button>}
      />
      <Stack gap="xl">
        {gone && !versions.error && <Alert color="gray">{t('history.gone')}</Alert>}
        {saved.error && !gone && <ErrorPanel error={saved.error} onRetry={() => void saved.refetch()} />}
        <OwnTargetOnly targetId={saved.data?.value.target_id ?? null}>
          <VersionTable query={versions} params={params} present={saved.data?.value.version ?? null} onCompare={(number) => show({ a: number - 1, b: number })} onRestore={setRestoring} />
        </OwnTargetOnly>
        {sides && <SpecDiff id={id} {...sides} newest={newest} onChange={show} />}
      </Stack>
      <ConfirmDialog
        opened={restoring !== null}
        onClose={() => {
          setRestoring(null);
          restore.reset();
        }}
        onConfirm={() => restoring !== null && restore.mutate(restoring)}
        title={t('history.restoreTitle', { number: restoring ?? 0 })}
        text={t('history.restoreText', { number: restoring ?? 0, next: newest + 1, count: saved.data?.value.datasets ?? 0 })}
        confirmLabel={t('history.restore')}
        danger={false}
        loading={restore.isPending}
        error={restore.error}
      />
    </>
  );
}

/** The two versions to compare: those of the address, else the newest with the one before; null while there is one. */
function sidesOf(a: string | null, b: string | null, newest: number): { a: number; b: number } | null {
  if (newest < 2) return null;
  const known = (text: string | null, otherwise: number) => {
    const number = Number(text);
    return Number.isInteger(number) && number >= 1 && number <= newest ? number : otherwise;
  };
  const after = known(b, newest);
  return { a: known(a, Math.max(1, after - 1)), b: after };
}
