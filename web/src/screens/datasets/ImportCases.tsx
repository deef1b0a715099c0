import { Button, FileButton, Group, Paper, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { keys } from '~/api/keys';
import { useThisDataset } from '~/screens/datasets/datasets';
import { ImportFault } from '~/screens/datasets/ImportFault';
import { ImportHelp } from '~/screens/datasets/ImportHelp';
import { importCases, previewImport } from '~/screens/datasets/importing';
import { Preview } from '~/screens/datasets/ImportPreview';
import { Loading } from '~/screens/datasets/Loading';
import { RoleGate, useMay } from '~/ui/RoleGate';

import classes from './ImportCases.module.css';

const ACCEPT = '.csv,.json,.jsonl,text/csv,application/json';

/** Cases from a file: first what would happen, then the button that does it. */
export default function ImportCases() {
  const { t } = useTranslation('datasets');
  const { id } = useThisDataset().value;
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [file, setFile] = useState<File | null>(null);
  const [replace, setReplace] = useState(false);
  const preview = useQuery({
    queryKey: [...keys.dataset(id), 'import', file?.name, file?.size, file?.lastModified, replace],
    queryFn: ({ signal }) => previewImport(id, file as File, replace, signal),
    enabled: file !== null,
    gcTime: 0,
    retry: false,
  });
  const take = useMutation({
    mutationFn: (chosen: File) => importCases(id, chosen, replace),
    onSuccess: ({ given, after }) => {
      notifications.show({ message: t('import.done', { count: given, after }) });
      void queries.invalidateQueries({ queryKey: keys.datasets() });
      void navigate(`/datasets/${id}`);
    },
  });
  const choose = (next: File | null) => {
    take.reset();
    setFile(next);
  };
  const fault = preview.error ?? take.error;
  return (
    <Stack gap="lg" maw={900}>
      <FileDrop file={file} onChoose={choose} />
      {file && (
        <Paper p="lg">
          <Stack>
            <Switch label={t('import.replace')} description={t('import.replaceHelp')} checked={replace} onChange={({ currentTarget }) => setReplace(currentTarget.checked)} />
            {preview.isFetching && <Loading label={t('import.reading')} />}
            {fault && !preview.isFetching && <ImportFault error={fault} file={file.name} />}
            {preview.data && !preview.isFetching && <Preview preview={preview.data} />}
            <Group>
              {preview.data && (
                <RoleGate role="editor">
                  {(gate) => (
                    <Button disabled={preview.isFetching} loading={take.isPending} color={preview.data.removed > 0 ? 'red.8' : undefined} onClick={() => take.mutate(file)} {...gate}>
                      {t('import.take', { count: preview.data.given })}
                    </Button>
                  )}
                </RoleGate>
              )}
              <Button variant="default" onClick={() => choose(null)}>
                {t('import.other')}
              </Button>
            </Group>
          </Stack>
        </Paper>
      )}
      <ImportHelp />
    </Stack>
  );
}

/** Where a file is dropped, or chosen by the button. */
function FileDrop({ file, onChoose }: { file: File | null; onChoose: (file: File | null) => void }) {
  const { t } = useTranslation('datasets');
  const { may } = useMay('editor');
  const [over, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [first] = event.dataTransfer.files;
    if (first && may) onChoose(first);
  };
  const drag = (event: DragEvent, entered: boolean) => {
    event.preventDefault();
    setOver(entered);
  };
  return (
    <div className={classes.drop} data-over={over || undefined} onDragOver={(event) => drag(event, true)} onDragLeave={(event) => drag(event, false)} onDrop={drop}>
      <IconFileUpload size={32} stroke={1.4} aria-hidden className={classes.icon} />
      <Text fw={600}>{file ? file.name : t('import.drop')}</Text>
      <Text size="sm" c="dimmed">
        {t('import.formats')}
      </Text>
      <FileButton onChange={onChoose} accept={ACCEPT} inputProps={{ 'aria-label': t('import.choose') }}>
        {(props) => (
          <RoleGate role="editor">
            {(gate) => (
              <Button variant="default" {...props} {...gate}>
                {t('import.choose')}
              </Button>
            )}
          </RoleGate>
        )}
      </FileButton>
    </div>
  );
}
