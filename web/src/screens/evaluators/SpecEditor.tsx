import { Alert, Badge, Button, Group, Paper, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { IconHistory, IconScale } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';

import { ApiError } from '~/api/errors';
import type { Tagged } from '~/api/tagged';
import { TargetSelect } from '~/screens/datasets/TargetSelect';
import { DeleteEvaluator, type SavedEvaluator } from '~/screens/evaluators/EvaluatorList';
import { formSchema } from '~/screens/evaluators/formSchema';
import { historyAddress } from '~/screens/evaluators/history/versions';
import { KindHead } from '~/screens/evaluators/KindHead';
import { groupOf, type Kind, useKindName } from '~/screens/evaluators/kinds';
import { SpecFields } from '~/screens/evaluators/SpecFields';
import { fieldsOf, kindOf, within } from '~/screens/evaluators/specs';
import { TryIt } from '~/screens/evaluators/TryIt';
import { type Draft, useSaveEvaluator } from '~/screens/evaluators/useSaveEvaluator';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { PageHeader } from '~/ui/PageHeader';
import { OwnTargetOnly, RoleGate } from '~/ui/RoleGate';
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
  const [search] = useSearchParams();
  const same = saved && kindOf(saved.value.spec) === kind.kind;
  const [schema] = useState(() => formSchema(kind.schema as JsonSchema));
  const form = useSchemaForm(schema, same ? fieldsOf(saved.value.spec) : {});
  const [name, setName] = useState(saved?.value.name ?? '');
  const [description, setDescription] = useState(saved?.value.description ?? '');
  const [tried, setTried] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const spec = { kind: kind.kind, ...form.value };
  const [target, setTarget] = useState(saved ? saved.value.target_id : (search.get('target') ?? null));
  const [note, setNote] = useState('');
  const draft: Draft = { name: name.trim(), description: description.trim(), spec, target_id: target };
  const save = useSaveEvaluator(draft, saved);
  const number = saved?.value.version;
  const [noted, setNoted] = useState(number);
  if (number !== noted) {
    setNoted(number);
    setNote('');
  }
  const failure = within(save.error, '/spec');
  const told = save.error instanceof ApiError ? save.error.errors : [];
  const nameFault = told.find(({ pointer }) => pointer === '/name')?.detail ?? (tried && !name.trim() ? t('field.nameMissing') : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (form.validate() && name.trim()) save.send({ note: note.trim(), onFaults: (faults) => form.setServerErrors(faults, '/spec') });
  };
  return (
    <>
      <PageHeader
        title={saved ? saved.value.name : t('newOf', { kind: nameOf(kind.kind) })}
        crumbs={crumbs}
        aside={saved && <Badge color="gray">{t('version', { number: saved.value.version })}</Badge>}
        description={saved && t('boundBy', { count: saved.value.datasets })}
        actions={
          saved && (
            <>
              <Button component={Link} to={historyAddress(saved.value.id)} variant="default" leftSection={<IconHistory size={16} aria-hidden />}>
                {t('history.open')}
              </Button>
              {groupOf(kind.kind) === 'judges' && (
                <Button component={Link} to="/calibration" variant="default" leftSection={<IconScale size={16} aria-hidden />}>
                  {t('calibration')}
                </Button>
              )}
              <OwnTargetOnly targetId={saved.value.target_id}>
                <RoleGate role="editor">
                  {(gate) => (
                    <Button variant="default" onClick={() => setDeleting(true)} {...gate}>
                      {t('common:delete')}
                    </Button>
                  )}
                </RoleGate>
              </OwnTargetOnly>
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
            <TargetSelect label={t('field.target')} description={t('field.targetHelp')} value={target} onChange={setTarget} />
            {save.isNewVersion && saved && (
              <TextInput label={t('field.note', { number: saved.value.version + 1 })} description={t('field.noteHelp')} maxLength={2000} value={note} onChange={({ currentTarget }) => setNote(currentTarget.value)} />
            )}
            {save.stale && <Stale onReload={reload} onOverwrite={() => save.overwrite(note.trim())} />}
            {save.error && !save.stale && <ErrorPanel error={failure} />}
            <Group>
              <OwnTargetOnly targetId={saved ? saved.value.target_id : target}>
                <RoleGate role="editor">
                  {(gate) => (
                    <Button type="submit" loading={save.saving} {...gate}>
                      {t('common:save')}
                    </Button>
                  )}
                </RoleGate>
              </OwnTargetOnly>
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
