import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { answer, api } from '~/api/client';
import { ApiError } from '~/api/errors';
import { keys } from '~/api/keys';
import { isRemote } from '~/screens/agents/targets';
import { AdvancedFields, JudgeFields, LimitFields } from '~/screens/runs/NewRunFields';
import { fieldErrors, runStart, useNewRunForm } from '~/screens/runs/newRunForm';
import { DatasetSelect, TargetSelect } from '~/screens/runs/RemoteSelect';
import { datasetChoicesQuery, targetChoicesQuery } from '~/screens/runs/runQueries';
import { VersionSelect } from '~/screens/runs/VersionSelect';
import { isRefusedFor } from '~/screens/simulations/refusal';
import { SideEffects } from '~/screens/simulations/SideEffects';
import { StartError } from '~/screens/simulations/StartError';
import { RoleGate } from '~/ui/RoleGate';

interface Props {
  /** Ids that are chosen already. */
  target: string | null;
  dataset: string | null;
  onClose: () => void;
}

/** Starts an evaluation, and leads to it. The first dataset with a case to run and its target are chosen already. */
export function NewRun({ target, dataset, onClose }: Props) {
  const { t } = useTranslation(['runs', 'common']);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useNewRunForm({ target, dataset });
  const [unplaced, setUnplaced] = useState<Error | null>(null);
  const defaults = useDefaults(form.values.dataset);
  const chosen = { target: form.values.target ?? defaults.target, dataset: form.values.dataset ?? defaults.dataset };
  const start = useMutation({
    mutationFn: (ids: { target: string; dataset: string }) => answer(api.POST('/api/eval/runs', { body: runStart(form.values, ids.target, ids.dataset) })),
    onSuccess: (run) => {
      void queries.invalidateQueries({ queryKey: keys.runs() });
      void navigate(`/runs/${run.id}`);
    },
    onError: (error) => {
      const placed = fieldErrors(error instanceof ApiError ? error.errors : []);
      form.setErrors(placed.errors);
      setUnplaced(placed.complete ? null : error);
    },
  });
  const allow = (allowed: boolean) => {
    setUnplaced(null);
    form.setFieldValue('allowSideEffects', allowed);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setUnplaced(null);
    form.setErrors({ target: chosen.target ? undefined : t('new.targetNeeded'), dataset: chosen.dataset ? undefined : t('new.datasetNeeded') });
    if (chosen.target && chosen.dataset) start.mutate({ target: chosen.target, dataset: chosen.dataset });
  };
  return (
    <Modal opened onClose={onClose} title={t('new.title')} size="lg" closeButtonProps={{ 'aria-label': t('common:close') }}>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Group grow align="flex-start" preventGrowOverflow={false} wrap="wrap">
            <TargetSelect
              elsewhere={t('new.elsewhere')}
              label={t('target')}
              required
              data-autofocus
              openOnFocus={false}
              value={chosen.target}
              onChange={(value) => form.setValues({ target: value, version: null, allowSideEffects: false })}
              error={form.errors.target}
              nothingFoundMessage={t('new.noTarget')}
              miw={220}
            />
            <VersionSelect target={chosen.target} value={form.values.version} onChange={(value) => form.setFieldValue('version', value)} error={form.errors.version} />
          </Group>
          <DatasetSelect
            label={t('dataset')}
            description={t('new.datasetHelp')}
            required
            value={chosen.dataset}
            onChange={(value) => form.setValues({ dataset: value, allowSideEffects: false })}
            error={form.errors.dataset}
            nothingFoundMessage={t('new.noDataset')}
            notRunnable={t('new.notRunnable')}
          />
          <SideEffects target={chosen.target} dataset={chosen.dataset} allowed={form.values.allowSideEffects} refused={isRefusedFor(start.error, 'effect')} onAllow={allow} />
          <LimitFields form={form} />
          <JudgeFields form={form} />
          <AdvancedFields form={form} />
          {unplaced && <StartError error={unplaced} target={chosen.target} dataset={chosen.dataset} />}
          {defaults.missing && <Text c="dimmed">{t(`new.${defaults.missing}`)}</Text>}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <RoleGate role="editor">
              {(gate) => (
                <Button type="submit" loading={start.isPending} {...gate}>
                  {t('new.start')}
                </Button>
              )}
            </RoleGate>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** What is chosen until somebody chooses, and what must be made before anything can be. */
function useDefaults(dataset: string | null) {
  const targets = useQuery(targetChoicesQuery(''));
  const datasets = useQuery(datasetChoicesQuery(''));
  const runnable = datasets.data?.items.find((each) => each.runnable);
  const made = datasets.data?.items.find(({ id }) => id === (dataset ?? runnable?.id))?.target_id;
  const runs = targets.data?.items.filter(({ active, kind }) => active !== null && !isRemote(kind)) ?? [];
  const isElsewhere = targets.data?.items.some(({ id, kind }) => id === made && isRemote(kind));
  const target = (isElsewhere ? null : made) ?? runs[0]?.id ?? null;
  const missing = targets.data?.total === 0 ? ('noTarget' as const) : datasets.data && !runnable && !dataset ? ('noDataset' as const) : null;
  return { target, dataset: runnable?.id ?? null, missing };
}
