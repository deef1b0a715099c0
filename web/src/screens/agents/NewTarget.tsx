import { Button, Group, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { type FormEvent, lazy, Suspense, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';

import { DefinitionForm } from '~/screens/agents/definition/DefinitionForm';
import { KindChooser } from '~/screens/agents/KindChooser';
import { KindHead } from '~/screens/agents/KindHead';
import { NameFields } from '~/screens/agents/NameFields';
import { type Kind, useKindName, useTargetKinds } from '~/screens/agents/targets';
import { useCreateTarget } from '~/screens/agents/useCreateTarget';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { focusFault } from '~/ui/focusFault';
import { PageHeader } from '~/ui/PageHeader';
import { AllTargetsOnly, RoleGate } from '~/ui/RoleGate';
import type { JsonSchema } from '~/ui/schema-form/schema';
import { useSchemaForm } from '~/ui/schema-form/useSchemaForm';
import { UnsavedGuard } from '~/ui/UnsavedGuard';

const AGENT = 'agent';
const WORKFLOW = 'workflow';
/** Brings an editor along, which other kinds do not need. */
const NewWorkflow = lazy(() => import('~/screens/workflows/editor/NewWorkflow'));

/** A new target: first its kind (`?kind=` in the address), then its name and definition. */
export default function NewTarget() {
  const { t } = useTranslation(['agents', 'workflows']);
  const [address] = useSearchParams();
  const kinds = useTargetKinds();
  const nameOf = useKindName();
  const wanted = address.get('kind');
  const kind = kinds.data?.find(({ kind: name, allowed }) => name === wanted && allowed);
  const crumbs = [wanted === WORKFLOW ? { label: t('workflows:title'), to: '/workflows' } : { label: t('title'), to: '/agents' }];
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
      <PageHeader title={wanted === AGENT ? t('create.agentTitle') : wanted === WORKFLOW ? t('workflows:new') : t('create.title', { kind: nameOf(wanted) })} crumbs={crumbs} />
      {kinds.isError && <ErrorPanel error={kinds.error} onRetry={() => void kinds.refetch()} />}
      {kinds.isPending && <Skeleton height={360} />}
      {kind && <Suspense fallback={<Skeleton height={360} />}>{kind.kind === WORKFLOW ? <NewWorkflow /> : <NewTargetForm key={kind.kind} kind={kind} />}</Suspense>}
    </>
  );
}

function NewTargetForm({ kind }: { kind: Kind }) {
  const { t } = useTranslation('agents');
  const form = useSchemaForm(kind.schema as JsonSchema);
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [tried, setTried] = useState(false);
  const create = useCreateTarget((error) => form.setServerErrors(error.errors, '/definition'));
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
          <AllTargetsOnly>
            <RoleGate role="editor">
              {(gate) => (
                <Button type="submit" loading={isPending} {...gate}>
                  {t('create.submit')}
                </Button>
              )}
            </RoleGate>
          </AllTargetsOnly>
        </Group>
      </Stack>
    </form>
  );
}
