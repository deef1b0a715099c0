import { Button, Group, Modal, NumberInput, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '~/api/errors';
import { CommonKinds } from '~/screens/evaluators/CommonKinds';
import { formSchema } from '~/screens/evaluators/formSchema';
import { KindHead } from '~/screens/evaluators/KindHead';
import { type Kind, useEvaluatorKinds } from '~/screens/evaluators/kinds';
import { SpecFields } from '~/screens/evaluators/SpecFields';
import { type Binding, fieldsOf, kindOf } from '~/screens/evaluators/specs';
import { TryIt } from '~/screens/evaluators/TryIt';
import { Apart } from '~/ui/Apart';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { RoleGate } from '~/ui/RoleGate';
import type { JsonObject, JsonSchema } from '~/ui/schema-form/schema';
import { useSchemaForm } from '~/ui/schema-form/useSchemaForm';

interface Props {
  opened: boolean;
  onClose: () => void;
  /** The one to change; none for a new one. */
  initial?: Binding;
  /** Takes the evaluator; may be a promise. An `ApiError` whose pointers lead into its spec is shown at the fields. */
  onDone: (binding: Binding) => unknown;
}

/** An evaluator that is written here alone, for one dataset or one case: first the kind, then its fields. */
export function EvaluatorDialog({ opened, onClose, initial, onDone }: Props) {
  const { t } = useTranslation(['evaluators', 'common']);
  return (
    <Apart>
      <Modal opened={opened} onClose={onClose} size="xl" title={initial ? t('dialog.edit') : t('dialog.add')} closeButtonProps={{ 'aria-label': t('common:close') }}>
        <Steps initial={initial} onClose={onClose} onDone={onDone} />
      </Modal>
    </Apart>
  );
}

function Steps({ initial, ...rest }: Omit<Props, 'opened'>) {
  const kinds = useEvaluatorKinds();
  const [chosen, setChosen] = useState<Kind | null>(null);
  const [asked, setAsked] = useState(!initial);
  const kind = chosen ?? kinds.data?.find((known) => initial && known.kind === kindOf(initial.spec));
  const choose = (next: Kind) => {
    setChosen(next);
    setAsked(false);
  };
  if (asked || !kind) return <CommonKinds onChoose={choose} />;
  return <BindingForm key={kind.kind} kind={kind} initial={initial} onOther={() => setAsked(true)} {...rest} />;
}

interface FormProps extends Omit<Props, 'opened'> {
  kind: Kind;
  onOther: () => void;
}

function BindingForm({ kind, initial, onOther, onClose, onDone }: FormProps) {
  const { t } = useTranslation(['evaluators', 'common']);
  const same = initial && kindOf(initial.spec) === kind.kind ? initial : undefined;
  const [schema] = useState(() => formSchema(kind.schema as JsonSchema));
  const form = useSchemaForm(schema, same ? fieldsOf(same.spec) : {});
  const top = useRef<HTMLFormElement>(null);
  // The choice before may have been scrolled down.
  useEffect(() => {
    void top.current?.scrollIntoView();
  }, []);
  const [name, setName] = useState(initial?.name ?? '');
  const [weight, setWeight] = useState(initial?.weight ?? 1);
  const [other, setOther] = useState<unknown>(null);
  const done = useMutation({
    mutationFn: async () => onDone(bindingOf(kind.kind, name, weight, form.value)),
    onMutate: () => setOther(null),
    onError: (error) => {
      const rest = error instanceof ApiError ? form.setServerErrors(error.errors) : [];
      if (!(error instanceof ApiError) || error.errors.length === 0 || rest.length > 0) setOther(error);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (form.validate()) done.mutate();
  };
  const spec = () => (form.validate() ? { kind: kind.kind, ...form.value } : null);
  return (
    <Stack gap="lg">
      <form ref={top} onSubmit={submit} noValidate style={{ scrollMarginBlockStart: 80 }}>
        <Stack>
          <KindHead kind={kind} onOther={onOther} />
          <SpecFields form={form} kind={kind.kind} />
          <Group grow align="flex-start">
            <TextInput label={t('field.name')} description={t('field.nameHelp')} placeholder={kind.kind} maxLength={200} value={name} onChange={({ currentTarget }) => setName(currentTarget.value)} />
            <NumberInput label={t('field.weight')} description={t('field.weightHelp')} min={0} step={0.5} value={weight} onChange={(value) => setWeight(Math.max(0, Number(value) || 0))} />
          </Group>
          {other !== null && <ErrorPanel error={other} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <RoleGate role="editor">
              {(gate) => (
                <Button type="submit" loading={done.isPending} {...gate}>
                  {initial ? t('common:apply') : t('common:add')}
                </Button>
              )}
            </RoleGate>
          </Group>
        </Stack>
      </form>
      <TryIt kind={kind} spec={spec} />
    </Stack>
  );
}

function bindingOf(kind: string, name: string, weight: number, fields: JsonObject): Binding {
  return { name: name.trim() || kind, weight, spec: { kind, ...fields } as Binding['spec'], evaluator_id: null, version: null };
}
