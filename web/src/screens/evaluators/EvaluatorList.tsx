import { ActionIcon, Button, Group, Menu, Select, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { grouped, useEvaluatorKinds, useKindName } from '~/screens/evaluators/kinds';
import { kindOf } from '~/screens/evaluators/specs';
import { ConfirmDialog } from '~/ui/ConfirmDialog';
import { type Column, DataTable } from '~/ui/DataTable';
import { useFormat } from '~/ui/format';
import { useListParams } from '~/ui/listParams';
import { RoleGate } from '~/ui/RoleGate';
import { DateTime } from '~/ui/Values';

export type SavedEvaluator = Schemas['SavedEvaluator'];

/** The saved evaluators of the workspace: search, kind, and what may be done with each. */
export function EvaluatorList() {
  const { t } = useTranslation('evaluators');
  const params = useListParams();
  const kind = params.filter('kind');
  const [leaving, setLeaving] = useState<SavedEvaluator | null>(null);
  const filters = { q: params.q, kind, page: params.page, size: params.size };
  const query = useQuery({
    queryKey: keys.evaluators(filters),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/evaluators', { params: { query: filters }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <DataTable
        label={t('title')}
        query={query}
        params={params}
        columns={useColumns(setLeaving)}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/evaluators/${id}`}
        empty={{ title: t('empty.title'), text: t('empty.text'), action: <NewEvaluatorButton /> }}
        filters={<KindFilter value={kind} onChange={(value) => params.setFilter('kind', value)} />}
        filtered={kind !== null}
      />
      <DeleteEvaluator evaluator={leaving} onClose={() => setLeaving(null)} />
    </>
  );
}

/** Leads to the form of a new one. */
export function NewEvaluatorButton() {
  const { t } = useTranslation('evaluators');
  return (
    <RoleGate role="editor">
      {(gate) => (
        <Button component={Link} to="/evaluators/new" {...gate}>
          {t('new')}
        </Button>
      )}
    </RoleGate>
  );
}

function useColumns(onDelete: (evaluator: SavedEvaluator) => void): Column<SavedEvaluator>[] {
  const { t } = useTranslation('evaluators');
  const format = useFormat();
  const nameOf = useKindName();
  return [
    { key: 'name', header: t('column.name'), width: '44%', cell: ({ name }) => <Text component="span" inherit lineClamp={2}>{name}</Text>, detail: ({ description }) => description && <Text size="sm" c="dimmed" lineClamp={2}>{description}</Text> },
    { key: 'kind', header: t('column.kind'), cell: ({ spec }) => nameOf(kindOf(spec)) },
    { key: 'datasets', header: t('column.datasets'), align: 'right', cell: ({ datasets }) => format.number(datasets) },
    { key: 'changed', header: t('column.changed'), cell: ({ updated_at }) => <DateTime time={updated_at} /> },
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
        <RoleGate role="editor">
          {(gate) => (
            <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={onDelete} {...gate}>
              {t('common:delete')}
            </Menu.Item>
          )}
        </RoleGate>
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
