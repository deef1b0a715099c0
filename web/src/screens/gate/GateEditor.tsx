import { ActionIcon, Button, Group, Modal, NumberInput, Stack, Switch, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '~/api/errors';
import type { Tagged } from '~/api/tagged';
import { addPolicy, type Draft, draftsOf, policiesOf } from '~/screens/gate/gateDraft';
import { type GateState, useSetGate } from '~/screens/gate/gateQueries';
import { DatasetSelect } from '~/screens/runs/RemoteSelect';
import { ErrorPanel } from '~/ui/ErrorPanel';

import classes from './Gate.module.css';

interface Props {
  targetId: string;
  gate: Tagged<GateState>;
  onClose: () => void;
}

/** The policies of a target, all at once: for each dataset the least pass rate, on or off. */
export function GateEditor({ targetId, gate, onClose }: Props) {
  const { t } = useTranslation(['gate', 'common']);
  const [drafts, setDrafts] = useState(() => draftsOf(gate.value.policies));
  const [tried, setTried] = useState(false);
  const save = useSetGate(targetId, gate.etag, () => {
    notifications.show({ message: t('saved') });
    onClose();
  });
  const policies = policiesOf(drafts);
  const told = save.error instanceof ApiError ? save.error.errors : [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (policies) save.mutate({ policies });
  };
  return (
    <Modal opened onClose={onClose} size="lg" title={t('edit')} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm" c="dimmed">
            {t('editLead')}
          </Text>
          {drafts.length === 0 && <Text>{t('noPolicy')}</Text>}
          {drafts.map((draft, index) => (
            <Row
              key={draft.key}
              draft={draft}
              tried={tried}
              fault={told.find(({ pointer }) => pointer.startsWith(`/policies/${index}`))?.detail}
              onChange={(changes) => setDrafts(drafts.with(index, { ...draft, ...changes }))}
              onRemove={() => setDrafts(drafts.toSpliced(index, 1))}
            />
          ))}
          <Button variant="default" size="xs" w="fit-content" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setDrafts(addPolicy(drafts))}>
            {t('add')}
          </Button>
          {save.error && told.length === 0 && <ErrorPanel error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={save.isPending}>
              {t('common:save')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

interface RowProps {
  draft: Draft;
  tried: boolean;
  /** What the server said of it. */
  fault: string | undefined;
  onChange: (changes: Partial<Draft>) => void;
  onRemove: () => void;
}

function Row({ draft, tried, fault, onChange, onRemove }: RowProps) {
  const { t } = useTranslation('gate');
  const percent = Number(draft.percent);
  const wrong = tried && !(draft.percent !== '' && percent > 0 && percent <= 100);
  return (
    <div className={classes.edit}>
      <DatasetSelect label={t('dataset')} value={draft.dataset} onChange={(dataset) => onChange({ dataset })} error={fault ?? (tried && !draft.dataset ? t('datasetMissing') : undefined)} />
      <NumberInput label={t('threshold')} suffix=" %" min={0} max={100} decimalScale={4} value={draft.percent} onChange={(value) => onChange({ percent: value })} error={wrong ? t('thresholdWrong') : undefined} />
      <Switch label={t('on')} checked={draft.enabled} onChange={({ currentTarget }) => onChange({ enabled: currentTarget.checked })} mb={8} />
      <ActionIcon variant="subtle" color="gray" mb={4} aria-label={t('remove')} onClick={onRemove}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
