import { Checkbox, Input, Skeleton, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { type ToolEntry, toolKind, toolOptions, withOptions } from '~/screens/agents/definition/tools';
import { type Kind, useToolKinds } from '~/screens/agents/targets';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useKindWords } from '~/ui/kindWords';
import { Form, useFault, useForm } from '~/ui/schema-form/context';
import { FieldsOf } from '~/ui/schema-form/ObjectField';
import { type JsonSchema, readSchema } from '~/ui/schema-form/schema';
import { withKey } from '~/ui/schema-form/values';

import classes from './ToolsField.module.css';

/** The built-in tools to choose from, each with what it does and, once chosen, its options. */
export function ToolsField() {
  const { t } = useTranslation('agents');
  const { form } = useForm();
  const kinds = useToolKinds();
  const fault = useFault(['tools'], true);
  const chosen: readonly ToolEntry[] = Array.isArray(form.value.tools) ? form.value.tools : [];
  const replace = (tools: ToolEntry[]) => form.setValue(withKey(form.value, 'tools', tools.length > 0 ? tools : undefined));
  const unknown = kinds.data ? chosen.map(toolKind).filter((name) => !kinds.data.some(({ kind }) => kind === name)) : [];
  return (
    <fieldset className={classes.group}>
      <legend className={classes.legend}>{t('agent.tools')}</legend>
      <Input.Description>{t('agent.toolsHelp')}</Input.Description>
      {fault && (
        <Input.Error role="alert" mt={4}>
          {fault}
        </Input.Error>
      )}
      {kinds.isError && <ErrorPanel error={kinds.error} onRetry={() => void kinds.refetch()} />}
      {kinds.isPending && <Skeleton height={120} mt="xs" />}
      <ul className={classes.tools}>
        {kinds.data?.map((kind) => (
          <ToolChoice key={kind.kind} kind={kind} chosen={chosen} onChange={replace} />
        ))}
        {unknown.map((name) => (
          <li key={name} className={classes.tool} data-chosen>
            <Checkbox label={name} description={t('agent.toolUnknown')} checked onChange={() => replace(chosen.filter((tool) => toolKind(tool) !== name))} />
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

interface ChoiceProps {
  kind: Kind;
  chosen: readonly ToolEntry[];
  onChange: (tools: ToolEntry[]) => void;
}

function ToolChoice({ kind, chosen, onChange }: ChoiceProps) {
  const { t } = useTranslation('agents');
  const words = useKindWords()('tool', kind);
  const index = chosen.findIndex((tool) => toolKind(tool) === kind.kind);
  const on = index >= 0;
  const fault = useFault(['tools', index], true);
  const toggle = () => onChange(on ? chosen.filter((_, place) => place !== index) : [...chosen, kind.kind]);
  return (
    <li className={classes.tool} data-chosen={on || undefined}>
      <Checkbox
        label={words.name}
        description={kind.allowed ? words.title : t('agent.toolForbidden')}
        checked={on}
        onChange={toggle}
        // One that was chosen before it was forbidden can still be taken out.
        disabled={!kind.allowed && !on}
        error={on ? fault : null}
      />
      {on && <Options kind={kind} name={words.name} entry={chosen[index] ?? kind.kind} index={index} onChange={(entry) => onChange(chosen.with(index, entry))} />}
    </li>
  );
}

interface OptionsProps {
  kind: Kind;
  name: string;
  entry: ToolEntry;
  index: number;
  onChange: (entry: ToolEntry) => void;
}

/** The options of a chosen tool, in the words of its kind; faults are found at its place in the agent's definition. */
function Options({ kind, name, entry, index, onChange }: OptionsProps) {
  const { t } = useTranslation('agents');
  const context = useForm();
  const options = toolOptions(entry);
  const [open, setOpen] = useState(Object.keys(options).length > 0);
  const { shape } = readSchema(kind.schema as JsonSchema);
  const fields = shape.kind === 'object' ? shape.fields() : [];
  if (fields.length === 0) return null;
  return (
    <Form value={{ ...context, scope: `tool.${kind.kind}` }}>
      <div className={classes.options}>
        <UnstyledButton fz="sm" c="var(--mantine-color-anchor)" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t('agent.toolOptions', { tool: name })}
        </UnstyledButton>
        {open && <FieldsOf fields={fields} path={['tools', index]} place={[]} value={options} onChange={(next) => onChange(withOptions(kind.kind, next))} />}
      </div>
    </Form>
  );
}
