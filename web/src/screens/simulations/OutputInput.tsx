import { Input, SegmentedControl, Stack } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { type AnswerDraft, inForm, type OutputForm, outOfForm, outputOf } from '~/screens/simulations/simulationDraft';
import type { Component } from '~/screens/simulations/simulations';
import { Caution } from '~/ui/Caution';
import { type Misfit, misfitsOf } from '~/ui/schema-form/misfit';
import type { JsonObject, JsonSchema } from '~/ui/schema-form/schema';
import { SchemaForm } from '~/ui/schema-form/SchemaForm';
import { useSchemaForm } from '~/ui/schema-form/useSchemaForm';
import { TypedValueInput } from '~/ui/TypedValueInput';

const MOST_MISFITS = 5;

interface Props {
  answer: AnswerDraft;
  component: Component;
  form: OutputForm | null;
  tried: boolean;
  error?: string;
  onChange: (next: (before: AnswerDraft) => AnswerDraft) => void;
}

/** What is given to a call: by the fields of the component's output schema, or as text or JSON. */
export function OutputInput({ answer, component, form, tried, error, onChange }: Props) {
  const { t } = useTranslation('simulations');
  const given = form && inForm(form, answer.output);
  const read = outputOf(answer, form);
  if (form && given && !answer.asText) {
    return (
      <>
        <Fields form={form} initial={given} tried={tried} onChange={onChange} />
        {error && <Input.Error role="alert">{error}</Input.Error>}
      </>
    );
  }
  const missing = tried && read.fault === 'missing' ? t('outputMissing') : undefined;
  return (
    <Stack gap="xs">
      <TypedValueInput label={t('output')} description={t('outputHelp')} minRows={3} value={answer.output} onChange={(output) => onChange((before) => ({ ...before, output }))} error={missing ?? error} />
      {read.fault === null && <Misfits schema={component.output_schema as JsonSchema | null} value={read.value} />}
    </Stack>
  );
}

/** Whether an output is given by its fields, or as text or JSON; nothing where it has no fields. */
export function HowGiven({ answer, form, number, onChange }: { answer: AnswerDraft; form: OutputForm | null; number: number; onChange: Props['onChange'] }) {
  const { t } = useTranslation(['simulations', 'ui']);
  if (!form) return null;
  const given = inForm(form, answer.output);
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('howGiven', { number })}
      value={given && !answer.asText ? 'fields' : 'text'}
      onChange={(how) => onChange((before) => ({ ...before, asText: how === 'text', unreadable: [] }))}
      data={[
        { value: 'fields', label: t('ui:typed.fields'), disabled: given === null },
        { value: 'text', label: t('ui:typed.asText') },
      ]}
    />
  );
}

interface FieldsProps {
  form: OutputForm;
  initial: JsonObject;
  tried: boolean;
  onChange: Props['onChange'];
}

function Fields({ form, initial, tried, onChange }: FieldsProps) {
  const [start] = useState(initial);
  const state = useSchemaForm(form.schema, start);
  const setValue = (value: JsonObject) => {
    state.setValue(value);
    onChange((before) => ({ ...before, output: outOfForm(form, value) }));
  };
  const setUnreadable = (pointer: string, text: string | null) => {
    state.setUnreadable(pointer, text);
    onChange((before) => ({ ...before, unreadable: [...before.unreadable.filter((each) => each !== pointer), ...(text === null ? [] : [pointer])] }));
  };
  const validate = useEffectEvent(() => void state.validate());
  useEffect(() => {
    if (tried) validate();
  }, [tried]);
  return <SchemaForm form={{ ...state, setValue, setUnreadable }} scope="" />;
}

/** Tells when the component would never give such an output. It may be meant: a target must bear that too. */
function Misfits({ schema, value }: { schema: JsonSchema | null; value: Parameters<typeof misfitsOf>[1] }) {
  const { t } = useTranslation(['simulations', 'executions']);
  const misfits = schema ? misfitsOf(schema, value) : [];
  if (misfits.length === 0) return null;
  const words = ({ path, what }: Misfit) => (path === '' ? t('misfit.whole') : t(`executions:fit.${what}`, { path }));
  return <Caution title={t('misfit.title')}>{misfits.slice(0, MOST_MISFITS).map(words).join(' ')}</Caution>;
}
