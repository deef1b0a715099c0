import { Anchor, Button, Group, Paper, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';

import { api, type Schemas } from '~/api/client';
import { ApiError } from '~/api/errors';
import { keys } from '~/api/keys';
import { DefinitionForm } from '~/screens/agents/definition/DefinitionForm';
import { SavedVersion, type VersionSaved } from '~/screens/agents/SavedVersion';
import { type Kind, type Target, useTargetKinds, useThisTarget, useVersion, type Version } from '~/screens/agents/targets';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { focusFault } from '~/ui/focusFault';
import { RoleGate } from '~/ui/RoleGate';
import type { JsonObject, JsonSchema } from '~/ui/schema-form/schema';
import { useSchemaForm } from '~/ui/schema-form/useSchemaForm';
import { toldFaults } from '~/ui/toldFaults';
import { UnsavedGuard } from '~/ui/UnsavedGuard';

/** A new version of a target. It begins as the active one, or as the one that the address names (`?from=2`). */
export default function NewVersion() {
  const { t } = useTranslation('agents');
  const target = useThisTarget().value;
  const [address] = useSearchParams();
  const from = Number(address.get('from')) || target.active;
  const version = useVersion(target.id, from);
  const kinds = useTargetKinds();
  const kind = kinds.data?.find((known) => known.kind === target.kind);
  const error = version.error ?? kinds.error;
  const ready = kind && (from === null || version.data);
  return (
    <Stack gap="lg" maw={820}>
      <div>
        <Anchor component={Link} to={`/agents/${target.id}`} size="sm">
          {t('one.back')}
        </Anchor>
        <Title order={2} mt={4}>
          {t('edit.title')}
        </Title>
        {from !== null && <Text c="dimmed">{t('edit.from', { number: from })}</Text>}
      </div>
      {error && <ErrorPanel error={error} onRetry={() => void version.refetch()} />}
      {!error && !ready && (kinds.data && !kind ? <Text>{t('kind.unknown', { kind: target.kind })}</Text> : <Skeleton height={360} />)}
      {ready && <VersionForm key={from} target={target} kind={kind} from={version.data} />}
    </Stack>
  );
}

function VersionForm({ target, kind, from }: { target: Target; kind: Kind; from: Version | undefined }) {
  const { t } = useTranslation('agents');
  const [initial] = useState(() => fieldsOf(from));
  const form = useSchemaForm(kind.schema as JsonSchema, initial);
  const [note, setNote] = useState('');
  const save = useSave(target.id, (error) => form.setServerErrors(error.errors, '/definition'));
  const changed = note !== '' || JSON.stringify(form.value) !== JSON.stringify(initial);
  const isDirty = useCallback(() => changed && !save.done.current, [changed, save.done]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    save.mutation.reset();
    if (!form.validate()) return focusFault(element);
    save.mutation.mutate({ definition: { ...form.value, kind: kind.kind }, note: note.trim() || null }, { onError: () => focusFault(element) });
  };
  const { error, isPending, data } = save.mutation;
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedGuard isDirty={isDirty} />
      <Stack gap="lg">
        <Paper p="lg">
          <DefinitionForm kind={kind.kind} form={form} />
        </Paper>
        <TextInput label={t('edit.note')} description={t('edit.noteHelp')} maxLength={2000} value={note} onChange={({ currentTarget }) => setNote(currentTarget.value)} error={toldFaults(error).note} />
        {error && <ErrorPanel error={error} />}
        <Group>
          <RoleGate role="editor">
            {(gate) => (
              <Button type="submit" loading={isPending} {...gate}>
                {t('edit.submit')}
              </Button>
            )}
          </RoleGate>
        </Group>
      </Stack>
      {data && <SavedVersion target={target} saved={data} />}
    </form>
  );
}

function fieldsOf(version: Version | undefined): JsonObject {
  const { kind: _, ...fields } = (version?.definition ?? {}) as JsonObject;
  return fields;
}

/** Adds the version. `done`: nothing is left to save. */
function useSave(id: string, onFaults: (error: ApiError) => void) {
  const queries = useQueryClient();
  const done = useRef(false);
  const mutation = useMutation({
    mutationFn: async (body: Schemas['NewVersion']): Promise<VersionSaved> => {
      const { data, response } = await api.POST('/api/targets/{target_id}/versions', { params: { path: { target_id: id } }, body });
      return { version: data as Version, isNew: response.status === 201 };
    },
    onSuccess: () => {
      done.current = true;
      void queries.invalidateQueries({ queryKey: keys.targets() });
    },
    onError: (error) => error instanceof ApiError && onFaults(error),
  });
  return { mutation, done };
}
