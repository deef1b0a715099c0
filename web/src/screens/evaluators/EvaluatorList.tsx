import { ActionIcon, Button, Group, Menu, Select, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconDots, IconHistory, IconPencil, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { historyAddress } from '~/screens/evaluators/history/versions';
import { grouped, useEvaluatorKinds, useKindName } from '~/screens/evaluators/kinds';
import { kindOf } from '~/screens/evaluators/specs';
import { ConfirmDialog } from '~/ui/ConfirmDialog';
import { type Column, DataTable } from '~/ui/DataTable';
import { useFormat } from '~/ui/format';
import { useListParams } from '~/ui/listParams';
import { OwnTargetOnly, RoleGate } from '~/ui/RoleGate';
import { DateTime } from '~/ui/Values';

export type SavedEvaluator = Schemas['SavedEvaluator'];

interface Filters {
  q: string;
  kind: string | null;
  /** Those of this target; of all where null. */
  target: string | null;
  page: number;
  size: number;
}

/** A page of the saved evaluators. */
export function useEvaluators(filters: Filters) {
  return useQuery({
    queryKey: keys.evaluators({ ...filters }),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/evaluators', { params: { query: filters }, signal })),
    placeholderData: keepPreviousData,
  });
}

interface Props {
  /** Of one target alone: how its datasets bind each, and what to say when there are none. */
  target?: {
    id: string;
    bound: (evaluator: SavedEvaluator) => ReactNode;
    empty: { title: string; text: string; action: ReactNode };
  };
}

/** The saved evaluators of the workspace, or of a target: search, kind, and what may be done with each. */
export function EvaluatorList({ target }: Props) {
  const { t } = useTranslation('evaluators');
  const params = useListParams();
  const kind = params.filter('kind');
  const [leaving, setLeaving] = useState<SavedEvaluator | null>(null);
  const query = useEvaluators({ q: params.q, kind, target: target?.id ?? null, page: params.page, size: params.size });
  return (
    <>
      <DataTable
        label={t('title')}
        query={query}
        params={params}
        columns={useColumns(setLeaving, target?.bound)}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/evaluators/${id}`}
        empty={target?.empty ?? { title: t('empty.title'), text: t('empty.text'), action: <NewEvaluatorButton /> }}
        filters={<KindFilter value={kind} onChange={(value) => params.setFilter('kind', value)} />}
        filtered={kind !== null}
      />
      <DeleteEvaluator evaluator={leaving} onClose={() => setLeaving(null)} />
    </>
  );
}

/** Leads to the form of a new one, which is made for a target where one is given. */
export function NewEvaluatorButton({ targetId }: { targetId?: string }) {
  const { t } = useTranslation('evaluators');
  return (
    <RoleGate role="editor">
      {(gate) => (
        <Button component={Link} to={targetId ? `/evaluators/new?target=${targetId}` : '/evaluators/new'} {...gate}>
          {t('new')}
        </Button>
      )}
    </RoleGate>
  );
}

function useColumns(onDelete: (evaluator: SavedEvaluator) => void, bound?: (evaluator: SavedEvaluator) => ReactNode): Column<SavedEvaluator>[] {
  const { t } = useTranslation('evaluators');
  const format = useFormat();
  const nameOf = useKindName();
  const changed: Column<SavedEvaluator> = { key: 'changed', header: t('column.changed'), cell: ({ updated_at }) => <DateTime time={updated_at} /> };
  return [
    { key: 'name', header: t('column.name'), width: bound ? '30%' : '40%', cell: ({ name }) => <Text component="span" inherit lineClamp={2}>{name}</Text>, detail: ({ description }) => description && <Text size="sm" c="dimmed" lineClamp={2}>{description}</Text> },
    { key: 'kind', header: t('column.kind'), cell: ({ spec }) => nameOf(kindOf(spec)) },
    { key: 'version', header: t('column.version'), align: 'right', cell: ({ version }) => format.number(version) },
    bound ? { key: 'bound', header: t('here.column'), width: '42%', cell: () => null, detail: bound } : { key: 'datasets', header: t('column.datasets'), align: 'right', cell: ({ datasets }) => format.number(datasets) },
    ...(bound ? [] : [changed]),
    { key: 'actions', header: t('column.actions'), align: 'right', width: '1px', cell: (evaluator) => <Actions evaluator={evaluator} onDelete={() => onDelete(evaluator)} /> },
  ];
}

function Actions({ evaluator, onDelete }: { evaluator: SavedEvaluator; onDelete: () => void }) {
  const { t } = useTranslation(['evaluators', 'common']);
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('actionsOf', { name: evaluator.name })}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={`/evaluators/${evaluator.id}`} leftSection={<IconPencil size={16} aria-hidden />}>
          {t('common:edit')}
        </Menu.Item>
        <Menu.Item component={Link} to={historyAddress(evaluator.id)} leftSection={<IconHistory size={16} aria-hidden />}>
          {t('history.open')}
        </Menu.Item>
        <OwnTargetOnly targetId={evaluator.target_id}>
          <RoleGate role="editor">
            {(gate) => (
              <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete} {...gate}>
                {t('common:delete')}
              </Menu.Item>
            )}
          </RoleGate>
        </OwnTargetOnly>
      </Menu.Dropdown>
    </Menu>
  );
}

function KindFilter({ value, onChange }: { value: string | null; onChange: (kind: string | null) => void }) {
  const { t } = useTranslation('evaluators');
  const nameOf = useKindName();
  const kinds = useEvaluatorKinds();
  const data = grouped(kinds.data ?? []).map(({ group, kinds: found }) => ({
    group: t(`groups.${group}.title`),
    items: found.map(({ kind }) => ({ value: kind, label: nameOf(kind) })),
  }));
  return <Select aria-label={t('filter.kind')} placeholder={t('filter.anyKind')} data={data} value={value} onChange={onChange} clearable searchable w={{ base: '100%', sm: 240 }} />;
}

interface DeleteProps {
  evaluator: SavedEvaluator | null;
  onClose: () => void;
  onDone?: () => void;
}

/** Asks, then deletes. The server refuses while datasets bind it, and names them. */
export function DeleteEvaluator({ evaluator, onClose, onDone }: DeleteProps) {
  const { t } = useTranslation('evaluators');
  const queries = useQueryClient();
  const [last, setLast] = useState(evaluator);
  if (evaluator && evaluator !== last) setLast(evaluator);
  const remove = useMutation({
    mutationFn: (id: string) => answer(api.DELETE('/api/eval/evaluators/{evaluator_id}', { params: { path: { evaluator_id: id } } })),
    onSuccess: (_, id) => {
      notifications.show({ message: t('deleted', { name: last?.name ?? '' }) });
      // What is shown of the deleted one is left alone until its page is gone: it would be a 404.
      const own = JSON.stringify(keys.evaluators({ id }));
      void queries.invalidateQueries({ queryKey: keys.evaluators(), predicate: ({ queryKey }) => JSON.stringify(queryKey) !== own });
      close();
      onDone?.();
    },
  });
  const close = () => {
    onClose();
    remove.reset();
  };
  return (
    <ConfirmDialog
      opened={evaluator !== null}
      onClose={close}
      onConfirm={() => evaluator && remove.mutate(evaluator.id)}
      title={t('delete.title', { name: last?.name ?? '' })}
      text={<Group>{t(last?.datasets ? 'delete.bound' : 'delete.text', { count: last?.datasets ?? 0 })}</Group>}
      loading={remove.isPending}
      error={remove.error}
    />
  );
}
