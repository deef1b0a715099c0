import { Anchor, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';
import { readyCasesQuery, targetQuery } from '~/screens/runs/runQueries';
import { VersionSelect } from '~/screens/runs/VersionSelect';
import { StartError } from '~/screens/simulations/StartError';
import { type Gate, RoleGate } from '~/ui/RoleGate';

interface Props {
  targetId: string;
  /** The version that is chosen already; the active one when left out. */
  version?: number;
  dataset: { id: string; name: string; judge_samples?: number };
  /** Draws what opens the form. */
  children: (open: () => void, gate: Gate) => ReactNode;
}

/** Runs every enabled case of a dataset against one version of its target, and leads to the run. */
export function RunSuite({ targetId, version, dataset, children }: Props) {
  const { t } = useTranslation(['runs', 'common']);
  const [opened, setOpened] = useState(false);
  return (
    <>
      <RoleGate role="editor">{(gate) => <span>{children(() => setOpened(true), gate)}</span>}</RoleGate>
      <Modal opened={opened} onClose={() => setOpened(false)} title={t('suite.title', { dataset: dataset.name })} closeButtonProps={{ 'aria-label': t('common:close') }}>
        <Form targetId={targetId} version={version} dataset={dataset} onClose={() => setOpened(false)} />
      </Modal>
    </>
  );
}

function Form({ targetId, version: given, dataset, onClose }: Omit<Props, 'children'> & { onClose: () => void }) {
  const { t } = useTranslation(['runs', 'common']);
  const [version, setVersion] = useState<string | null>(given === undefined ? null : String(given));
  const target = useQuery(targetQuery(targetId));
  const ready = useQuery(readyCasesQuery(dataset.id));
  const start = useStart();
  const samples = dataset.judge_samples ?? 1;
  const none = target.data?.active === null && version === null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The server's own defaults hold for what is left out, though the types say that it has them.
    if (!none) start.mutate({ target_id: targetId, dataset_id: dataset.id, version: version === null ? undefined : Number(version) } as Schemas['RunStart']);
  };
  const form = new URLSearchParams({ new: '1', target: targetId, dataset: dataset.id });
  return (
    <form onSubmit={submit}>
      <Stack>
        <div>
          <Text>{target.data?.name}</Text>
          <Text size="sm" c="dimmed">
            {ready.data !== undefined && t('suite.cases', { count: ready.data })} {samples > 1 && t('suite.samples', { count: samples })}
          </Text>
        </div>
        <VersionSelect target={targetId} value={version} onChange={setVersion} error={none && t('suite.noActive')} />
        {start.error && <StartError error={start.error} target={targetId} dataset={dataset.id} />}
        <Group justify="space-between">
          <Anchor component={Link} to={`/runs?${form}`} size="sm">
            {t('suite.more')}
          </Anchor>
          <Group gap="sm">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <Button type="submit" loading={start.isPending} disabled={ready.data === 0}>
              {t('suite.run')}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

function useStart() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (body: Schemas['RunStart']) => answer(api.POST('/api/eval/runs', { body })),
    onSuccess: (run) => {
      void queries.invalidateQueries({ queryKey: keys.runs() });
      void queries.invalidateQueries({ queryKey: keys.datasets() });
      void navigate(`/runs/${run.id}`);
    },
  });
}
