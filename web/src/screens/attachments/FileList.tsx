import { ActionIcon, Group, Stack, Switch, Text, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { Download } from '~/screens/attachments/CaseFiles';
import { DeleteFile } from '~/screens/attachments/DeleteFile';
import { FileDrop } from '~/screens/attachments/FileDrop';
import { FileFacts, FileName, Picture } from '~/screens/attachments/FileRow';
import { type AttachmentEntry, useFiles } from '~/screens/attachments/files';
import { Uploads } from '~/screens/attachments/Uploads';
import { useUploads } from '~/screens/attachments/useUploads';
import { type Column, DataTable } from '~/ui/DataTable';
import { useListParams } from '~/ui/listParams';
import { RoleGate, useMay } from '~/ui/RoleGate';
import { DateTime, EmailText } from '~/ui/Values';

import classes from './Files.module.css';

const UNUSED = 'unused';

/** All files of the workspace: sent, looked at, and deleted where nothing refers to them. */
export function FileList() {
  const { t } = useTranslation('attachments');
  const params = useListParams();
  const [leaving, setLeaving] = useState<AttachmentEntry | null>(null);
  const unused = params.filter(UNUSED) === '1';
  const query = useFiles({ q: params.q, unused, page: params.page, size: params.size });
  const { uploads, add, drop } = useUploads(({ name }) => notifications.show({ message: t('sent', { name }) }));
  return (
    <Stack gap="md">
      <FileDrop onFiles={add} />
      <Uploads uploads={uploads} onDrop={drop} />
      <DataTable
        label={t('title')}
        query={query}
        params={params}
        columns={useColumns(setLeaving)}
        rowKey={({ hash }) => hash}
        filters={<Switch label={t('unusedOnly')} checked={unused} onChange={({ currentTarget }) => params.setFilter(UNUSED, currentTarget.checked ? '1' : null)} />}
        filtered={unused}
        empty={{ title: t('empty.title'), text: t('empty.text') }}
      />
      <DeleteFile file={leaving} onClose={() => setLeaving(null)} />
    </Stack>
  );
}

function useColumns(onDelete: (file: AttachmentEntry) => void): Column<AttachmentEntry>[] {
  const { t } = useTranslation('attachments');
  return [
    {
      key: 'name',
      header: t('column.name'),
      width: '44%',
      cell: (file) => (
        <div className={classes.named}>
          <Picture file={file} />
          <div className={classes.what}>
            <FileName file={file} />
            <FileFacts file={file} />
          </div>
        </div>
      ),
    },
    { key: 'used', header: t('column.used'), cell: (file) => <Uses file={file} /> },
    { key: 'by', header: t('column.by'), cell: ({ created_by }) => <Text size="sm" className={classes.name}><EmailText email={created_by} /></Text> },
    { key: 'at', header: t('column.at'), cell: ({ created_at }) => <DateTime time={created_at} /> },
    { key: 'actions', header: t('column.actions'), align: 'right', width: '1px', cell: (file) => <Actions file={file} onDelete={() => onDelete(file)} /> },
  ];
}

function Uses({ file: { cases, runs } }: { file: AttachmentEntry }) {
  const { t } = useTranslation('attachments');
  if (cases + runs === 0) return <Text size="sm" c="dimmed">{t('unused')}</Text>;
  return (
    <Text component="div" size="sm" className={classes.uses}>
      {cases > 0 && <span>{t('cases', { count: cases })}</span>}
      {runs > 0 && <span>{t('runs', { count: runs })}</span>}
    </Text>
  );
}

/** What is used cannot be deleted; the button stays in reach of the keyboard and says why. */
function Actions({ file, onDelete }: { file: AttachmentEntry; onDelete: () => void }) {
  const { t } = useTranslation('attachments');
  const { may } = useMay('editor');
  const reason = file.cases > 0 ? t('kept.cases', { count: file.cases }) : t('kept.runs', { count: file.runs });
  const used = file.cases + file.runs > 0;
  const held = used ? ({ 'data-disabled': true, 'aria-disabled': true, onClick: undefined } as const) : {};
  return (
    <Group gap={2} wrap="nowrap" justify="flex-end">
      <Download file={file} />
      <Tooltip label={reason} disabled={!used || !may}>
        <span>
          <RoleGate role="editor">
            {(gate) => (
              <ActionIcon variant="subtle" color="gray" aria-label={t('delete.label', { name: file.name })} onClick={onDelete} {...held} {...gate}>
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            )}
          </RoleGate>
        </span>
      </Tooltip>
    </Group>
  );
}
