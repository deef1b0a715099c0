import { Alert, Button, Group, Paper, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { IconScale } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { ApiError } from '~/api/errors';
import type { Tagged } from '~/api/tagged';
import { DeleteEvaluator, type SavedEvaluator } from '~/screens/evaluators/EvaluatorList';
import { KindHead } from '~/screens/evaluators/KindHead';
import { groupOf, type Kind, useKindName } from '~/screens/evaluators/kinds';
import { SpecFields } from '~/screens/evaluators/SpecFields';
import { fieldsOf, kindOf, within } from '~/screens/evaluators/specs';
import { TryIt } from '~/screens/evaluators/TryIt';
import { type Draft, useSaveEvaluator } from '~/screens/evaluators/useSaveEvaluator';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { PageHeader } from '~/ui/PageHeader';
import { RoleGate } from '~/ui/RoleGate';
import type { JsonSchema } from '~/ui/schema-form/schema';
import { useSchemaForm } from '~/ui/schema-form/useSchemaForm';
import { UnsavedGuard } from '~/ui/UnsavedGuard';

interface Props {
  kind: Kind;
  saved?: Tagged<SavedEvaluator>;
  crumbs: { label: string; to: string }[];
  reload?: () => void;
  onOther: () => void;
}

/** The form of one kind of evaluator, beside it what it says of an answer. */
export function SpecEditor({ kind, saved, crumbs, reload, onOther }: Props) {
  const { t } = useTranslation(['evaluators', 'common']);
  const nameOf = useKindName();
  const same = saved && kindOf(saved.value.spec) === kind.kind;
  const form = useSchemaForm(kind.schema as JsonSchema, same ? fieldsOf(saved.value.spec) : {});
  const [name, setName] = useState(saved?.value.name ?? '');
  const [description, setDescription] = useState(saved?.value.description ?? '');
  const [tried, setTried] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const spec = { kind: kind.kind, ...form.value };
  const draft: Draft = { name: name.trim(), description: description.trim(), spec };
  const save = useSaveEvaluator(draft, saved);
  const failure = within(save.error, '/spec');
  const told = save.error instanceof ApiError ? save.error.errors : [];
  const nameFault = told.find(({ pointer }) => pointer === '/name')?.detail ?? (tried && !name.trim() ? t('field.nameMissing') : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (form.validate() && name.trim()) save.send({ onFaults: (faults) => form.setServerErrors(faults, '/spec') });
  };
  return (
    <>
      <PageHeader
        title={saved ? saved.value.name : t('newOf', { kind: nameOf(kind.kind) })}
        crumbs={crumbs}
        description={saved && t('boundBy', { count: saved.value.datasets })}
        actions={
          saved && (
            <>
              {groupOf(kind.kind) === 'judges' && (
                <Button component={Link} to="/calibration" variant="default" leftSection={<IconScale size={16} aria-hidden />}>
                  {t('calibration')}
                </Button>
              )}
              <RoleGate role="editor">
                {(gate) => (
                  <Button variant="default" onClick={() => setDeleting(true)} {...gate}>
                    {t('common:delete')}
                  </Button>
                )}
              </RoleGate>
            </>
          )
        }
      />
      <UnsavedGuard isDirty={save.isDirty} />
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" style={{ alignItems: 'start' }}>
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput label={t('field.title')} required maxLength={200} value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} error={nameFault} data-autofocus />
            <Textarea label={t('field.description')} autosize minRows={1} value={description} onChange={({ currentTarget }) => setDescription(currentTarget.value)} />
            <Paper p="md">
              <Stack>
                <KindHead kind={kind} onOther={onOther} />
                <SpecFields form={form} kind={kind.kind} />
              </Stack>
            </Paper>
            {save.stale && <Stale onReload={reload} onOverwrite={save.overwrite} />}
            {save.error && !save.stale && <ErrorPanel error={failure} />}
            <Group>
              <RoleGate role="editor">
                {(gate) => (
                  <Button type="submit" loading={save.saving} {...gate}>
                    {t('common:save')}
                  </Button>
                )}
              </RoleGate>
            </Group>
          </Stack>
        </form>
        <TryIt kind={kind} spec={() => (form.validate() ? spec : null)} />
      </SimpleGrid>
      <DeleteEvaluator evaluator={deleting && saved ? saved.value : null} onClose={() => setDeleting(false)} onDone={save.leave} />
    </>
  );
}

/** Somebody else has saved it meanwhile. */
function Stale({ onReload, onOverwrite }: { onReload?: () => void; onOverwrite: () => void }) {
  const { t } = useTranslation('evaluators');
  return (
    <Alert color="orange" role="alert" title={t('stale.title')}>
      <Stack align="flex-start" gap="xs">
        {t('stale.text')}
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={onReload}>
            {t('stale.reload')}
          </Button>
          <Button size="xs" variant="default" onClick={onOverwrite}>
            {t('stale.overwrite')}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
