import { Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';

import { answer, api, type Schemas } from '~/api/client';
import { ApiError } from '~/api/errors';
import { keys } from '~/api/keys';
import { DefinitionForm } from '~/screens/agents/definition/DefinitionForm';
import { KindChooser } from '~/screens/agents/KindChooser';
import { KindHead } from '~/screens/agents/KindHead';
import { NameFields } from '~/screens/agents/NameFields';
import { type Kind, useKindName, useTargetKinds } from '~/screens/agents/targets';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { focusFault } from '~/ui/focusFault';
import { PageHeader } from '~/ui/PageHeader';
import { RoleGate } from '~/ui/RoleGate';
import type { JsonSchema } from '~/ui/schema-form/schema';
import { useSchemaForm } from '~/ui/schema-form/useSchemaForm';
import { UnsavedGuard } from '~/ui/UnsavedGuard';

const AGENT = 'agent';

/** A new target: first its kind (`?kind=` in the address), then its name and definition. */
export default function NewTarget() {
  const { t } = useTranslation('agents');
  const [address] = useSearchParams();
  const kinds = useTargetKinds();
  const nameOf = useKindName();
  const wanted = address.get('kind');
  const kind = kinds.data?.find(({ kind: name, allowed }) => name === wanted && allowed);
  const crumbs = [{ label: t('title'), to: '/agents' }];
  if (!wanted || (kinds.data && !kind)) {
    return (
      <>
        <PageHeader title={t('newTarget')} crumbs={crumbs} description={t('kind.lead')} />
        {wanted && <Text mb="md">{t('kind.unknown', { kind: wanted })}</Text>}
        <KindChooser />
      </>
    );
  }
  return (
    <>
      <PageHeader title={wanted === AGENT ? t('create.agentTitle') : t('create.title', { kind: nameOf(wanted) })} crumbs={crumbs} />
      {kinds.isError && <ErrorPanel error={kinds.error} onRetry={() => void kinds.refetch()} />}
      {kinds.isPending && <Skeleton height={360} />}
      {kind && <NewTargetForm key={kind.kind} kind={kind} />}
    </>
  );
}

function NewTargetForm({ kind }: { kind: Kind }) {
  const { t } = useTranslation('agents');
  const form = useSchemaForm(kind.schema as JsonSchema);
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [tried, setTried] = useState(false);
  const create = useCreate((error) => form.setServerErrors(error.errors, '/definition'));
  const started = name !== '' || description !== '' || Object.keys(form.value).length > 0;
  const isDirty = useCallback(() => started && !create.done.current, [started, create.done]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    setTried(true);
    create.mutation.reset();
    if (!form.validate() || !name.trim()) return focusFault(element);
    const body = { name: name.trim(), description: description.trim() || null, definition: { ...form.value, kind: kind.kind } };
    create.mutation.mutate(body, { onError: () => focusFault(element) });
  };
  const { error, isPending } = create.mutation;
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedGuard isDirty={isDirty} />
      <Stack maw={820} gap="lg">
        <NameFields name={name} description={description} onName={setName} onDescription={setDescription} error={error} tried={tried} autoFocus />
        <Paper p="lg">
          <Stack gap="lg">
            <KindHead kind={kind} />
            <DefinitionForm kind={kind.kind} form={form} />
          </Stack>
        </Paper>
        {error && <ErrorPanel error={error} />}
        <Group>
          <RoleGate role="editor">
            {(gate) => (
              <Button type="submit" loading={isPending} {...gate}>
                {t('create.submit')}
              </Button>
            )}
          </RoleGate>
        </Group>
      </Stack>
    </form>
  );
}

/** Creates the target and leads to its Runner. `done`: nothing is left to save. */
function useCreate(onFaults: (error: ApiError) => void) {
  const { t } = useTranslation('agents');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const done = useRef(false);
  const mutation = useMutation({
    mutationFn: (body: Schemas['NewTarget']) => answer(api.POST('/api/targets', { body })),
    onSuccess: ({ id, name }) => {
      done.current = true;
      notifications.show({ message: t('create.done', { name }) });
      void queries.invalidateQueries({ queryKey: keys.targets() });
      void navigate(`/agents/${id}/runner`);
    },
    onError: (error) => error instanceof ApiError && onFaults(error),
  });
  return { mutation, done };
}
