import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { api } from '~/api/client';
import { keys } from '~/api/keys';
import { tagged } from '~/api/tagged';
import { type Case, type CaseField, type CaseValues, changesBetween, draftOf, valuesOf } from '~/screens/datasets/cases/caseDraft';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { asText } from '~/ui/JsonView';

import classes from './StaleCase.module.css';

interface Props {
  datasetId: string;
  /** The case as the form began with it. */
  before: Case;
  mine: CaseValues;
  onClose: () => void;
  onReload: () => void;
  /** `etag`: of the case that is written over. */
  onOverwrite: (etag: string) => void;
}

/** Somebody else saved the case meanwhile: what they changed, beside what the reader did; and which is to stay. */
export function StaleCase({ datasetId, before, mine, onClose, onReload, onOverwrite }: Props) {
  const { t } = useTranslation(['datasets', 'common']);
  const now = useQuery({
    queryKey: [...keys.cases(datasetId, { id: before.id }), 'now'],
    queryFn: ({ signal }) => tagged(api.GET('/api/eval/datasets/{dataset_id}/cases/{case_id}', { params: { path: { dataset_id: datasetId, case_id: before.id } }, signal })),
    gcTime: 0,
  });
  return (
    <Modal opened onClose={onClose} size="xl" title={t('stale.title')} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <Stack>
        {now.isPending && <Skeleton height={120} />}
        {now.error && <ErrorPanel error={now.error} onRetry={() => void now.refetch()} />}
        {now.data && <Differences before={valuesOf(draftOf(before))} theirs={valuesOf(draftOf(now.data.value))} mine={mine} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('stale.keepEditing')}
          </Button>
          <Button variant="default" onClick={onReload}>
            {t('stale.reload')}
          </Button>
          <Button disabled={!now.data} onClick={() => now.data && onOverwrite(now.data.etag)}>
            {t('stale.overwrite')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Differences({ before, theirs, mine }: { before: CaseValues; theirs: CaseValues; mine: CaseValues }) {
  const { t } = useTranslation('datasets');
  const theirFields = Object.keys(changesBetween(before, theirs)) as CaseField[];
  const myFields = Object.keys(changesBetween(before, mine)) as CaseField[];
  const fields = [...new Set([...theirFields, ...myFields])];
  return (
    <>
      <Text>{t('stale.text')}</Text>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('stale.field')}</th>
            <th scope="col">{t('stale.theirs')}</th>
            <th scope="col">{t('stale.mine')}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{t(`stale.fields.${field}`)}</th>
              <td>{theirFields.includes(field) ? <Value value={theirs[field]} /> : <Text size="sm" c="dimmed">{t('stale.same')}</Text>}</td>
              <td>{myFields.includes(field) ? <Value value={mine[field]} /> : <Text size="sm" c="dimmed">{t('stale.same')}</Text>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Lists of texts read line by line. */
function Value({ value }: { value: CaseValues[CaseField] }) {
  const { t } = useTranslation('common');
  const lines = Array.isArray(value) && value.every((item) => typeof item === 'string') ? value.join('\n') : value;
  if (typeof lines === 'boolean') return lines ? t('yes') : t('no');
  if (lines === null || lines === '') return <Text size="sm" c="dimmed">{t('none')}</Text>;
  return <div className={classes.value}>{asText(lines)}</div>;
}
