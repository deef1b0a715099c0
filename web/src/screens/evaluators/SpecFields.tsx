import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { RubricHelp } from '~/screens/evaluators/RubricHelp';
import type { Json, JsonObject } from '~/ui/schema-form/schema';
import { SchemaForm } from '~/ui/schema-form/SchemaForm';
import type { SchemaFormState } from '~/ui/schema-form/useSchemaForm';

import classes from './SpecFields.module.css';

/** Few need it, and it asks for a path into JSON. */
const RARE = 'target_path';
/** What a judge goes by, in words; much hangs on how it is written. */
const RUBRIC = 'rubric';

/** The lists that, when they are empty, say that no tool may be called; without any they say nothing. */
const CALLS: Record<string, string> = { tool_call_order: 'tools', tool_call_args: 'calls', tool_call_output: 'outputs' };

interface Props {
  form: SchemaFormState;
  /** The kind whose fields these are. */
  kind: string;
}

/** The fields of an evaluator's kind; what few need stands folded below. */
export function SpecFields({ form, kind }: Props) {
  const { t } = useTranslation('evaluators');
  const names = form.root.shape.kind === 'object' ? form.root.shape.fields().map(({ name }) => name) : [];
  const scope = `evaluator.${kind}`;
  const calls = CALLS[kind];
  const none = calls !== undefined && isEmptyList(form.value[calls]);
  return (
    <>
      {calls !== undefined && <Switch label={t('field.noCalls')} checked={none} onChange={({ currentTarget }) => form.setValue(withCalls(form.value, calls, currentTarget.checked ? [] : undefined))} />}
      <SchemaForm form={form} scope={scope} hide={none ? [RARE, calls] : [RARE]} />
      {names.includes(RUBRIC) && <RubricHelp empty={!form.value[RUBRIC]} onUse={(rubric) => form.setValue({ ...form.value, [RUBRIC]: rubric })} />}
      {names.includes(RARE) && (
        <details open={RARE in form.value || form.told.has(`/${RARE}`) || undefined} className={classes.more}>
          <summary>{t('field.more')}</summary>
          <SchemaForm form={form} scope={scope} hide={names.filter((name) => name !== RARE)} />
        </details>
      )}
    </>
  );
}

function isEmptyList(value: Json | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}

function withCalls(value: JsonObject, name: string, calls: Json[] | undefined): JsonObject {
  const { [name]: _, ...rest } = value;
  return calls === undefined ? rest : { ...rest, [name]: calls };
}
