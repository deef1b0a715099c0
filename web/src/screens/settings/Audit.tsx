import { Select, Stack, Text, UnstyledButton } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { ACTIONS, useActionText } from '~/screens/settings/auditActions';
import { OwnersOnly } from '~/screens/settings/OwnersOnly';
import { type Column, DataTable } from '~/ui/DataTable';
import { JsonView } from '~/ui/JsonView';
import { type ListParams, useListParams } from '~/ui/listParams';
import { DateTime } from '~/ui/Values';

import classes from './Audit.module.css';

type Entry = Schemas['AuditEntry'];

/** The audit log, for owners. */
export default function Audit() {
  const { t } = useTranslation('settings');
  return (
    <OwnersOnly reason={t('ownersOnly.audit')}>
      <Log />
    </OwnersOnly>
  );
}

function Log() {
  const { t } = useTranslation('settings');
  const params = useListParams();
  const action = params.filter('action');
  const filters = { q: params.q, action, page: params.page, size: params.size };
  const query = useQuery({
    queryKey: keys.audit(filters),
    queryFn: ({ signal }) => answer(api.GET('/api/audit', { params: { query: filters }, signal })),
    placeholderData: keepPreviousData,
  });
  return (
    <Stack>
      <Text c="dimmed">{t('audit.lead')}</Text>
      <DataTable
        label={t('audit.label')}
        query={query}
        params={params}
        columns={useColumns()}
        rowKey={({ id }) => id}
        filters={<ActionFilter params={params} />}
        filtered={action !== null}
        empty={{ title: t('audit.emptyTitle'), text: t('audit.emptyText') }}
      />
    </Stack>
  );
}

function useColumns(): Column<Entry>[] {
  const { t } = useTranslation('settings');
  return [
    { key: 'when', header: t('audit.when'), width: '1px', cell: ({ at }) => <DateTime time={at} /> },
    { key: 'who', header: t('audit.who'), width: '22%', cell: ({ actor }) => actor },
    { key: 'what', header: t('audit.what'), cell: (entry) => <What entry={entry} /> },
  ];
}

/** What was done in words, the change itself once somebody asks. */
function What({ entry }: { entry: Entry }) {
  const { t } = useTranslation('settings');
  const textOf = useActionText();
  const [open, setOpen] = useState(false);
  const { before, after } = entry;
  return (
    <div>
      {textOf(entry.action)} <Text component="span" fw={600} style={{ overflowWrap: 'anywhere' }}>{entry.object_name}</Text>
      {(before ?? after) && (
        <UnstyledButton display="block" fz="sm" c="var(--mantine-color-anchor)" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'audit.hide' : 'audit.show')}
        </UnstyledButton>
      )}
      {open && (
        <div className={classes.sides}>
          <Side title={t('audit.before')} value={before} />
          <Side title={t('audit.after')} value={after} />
        </div>
      )}
    </div>
  );
}

function Side({ title, value }: { title: string; value: Entry['before'] }) {
  const { t } = useTranslation('settings');
  return (
    <div>
      <p className={classes.heading}>{title}</p>
      {value === null ? <Text size="sm">{t('audit.nothing')}</Text> : <JsonView value={value} label={title} maxHeight={280} />}
    </div>
  );
}

function ActionFilter({ params }: { params: ListParams }) {
  const { t } = useTranslation(['settings', 'common']);
  const textOf = useActionText();
  return (
    <Select
      aria-label={t('audit.action')}
      placeholder={t('audit.anyAction')}
      data={ACTIONS.map((action) => ({ value: action, label: textOf(action) }))}
      value={params.filter('action')}
      onChange={(action) => params.setFilter('action', action)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('common:clear') }}
      w={{ base: '100%', sm: 300 }}
    />
  );
}
