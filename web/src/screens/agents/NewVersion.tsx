import { Anchor, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { type FormEvent, lazy, Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';

import { DefinitionForm } from '~/screens/agents/definition/DefinitionForm';
import { SavedVersion } from '~/screens/agents/SavedVersion';
import { type Kind, type Target, useTargetKinds, useThisTarget, useVersion, type Version } from '~/screens/agents/targets';
import { useSaveVersion } from '~/screens/agents/useSaveVersion';
import { VersionEnd } from '~/screens/agents/VersionEnd';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { focusFault } from '~/ui/focusFault';
import type { JsonObject, JsonSchema } from '~/ui/schema-form/schema';
import { useSchemaForm } from '~/ui/schema-form/useSchemaForm';
import { UnsavedGuard } from '~/ui/UnsavedGuard';

/** Brings an editor along, which other kinds do not need. */
const NewWorkflowVersion = lazy(() => import('~/screens/workflows/editor/NewWorkflowVersion'));

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
    <Stack gap="lg" maw={target.kind === 'workflow' ? undefined : 820}>
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
      {ready && (
        <Suspense fallback={<Skeleton height={360} />}>
          {target.kind === 'workflow' ? <NewWorkflowVersion key={from} target={target} from={version.data} /> : <VersionForm key={from} target={target} kind={kind} from={version.data} />}
        </Suspense>
      )}
    </Stack>
  );
}

function VersionForm({ target, kind, from }: { target: Target; kind: Kind; from: Version | undefined }) {
  const [initial] = useState(() => fieldsOf(from));
  const form = useSchemaForm(kind.schema as JsonSchema, initial);
  const [note, setNote] = useState('');
  const save = useSaveVersion(target.id, (error) => form.setServerErrors(error.errors, '/definition'));
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
        <VersionEnd note={note} onNote={setNote} error={error} isPending={isPending} />
      </Stack>
      {data && <SavedVersion target={target} saved={data} />}
    </form>
  );
}

function fieldsOf(version: Version | undefined): JsonObject {
  const { kind: _, ...fields } = (version?.definition ?? {}) as JsonObject;
  return fields;
}
