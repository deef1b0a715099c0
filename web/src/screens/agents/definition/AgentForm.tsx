import { Stack, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { Folded } from '~/screens/agents/definition/Folded';
import { ModelFields } from '~/screens/agents/definition/ModelFields';
import { ToolsField } from '~/screens/agents/definition/ToolsField';
import { Form, useFault, useForm } from '~/ui/schema-form/context';
import { SchemaForm } from '~/ui/schema-form/SchemaForm';
import type { SchemaFormState } from '~/ui/schema-form/useSchemaForm';
import { withKey } from '~/ui/schema-form/values';

const SCOPE = 'target.agent';
/** The fields that have an input of their own here; all others stand under "more", in the form of the schema. */
const OWN = ['model', 'base_url', 'api_key_env', 'instructions', 'tools'];
const MCP = 'mcp_servers';
const LIMITS = 'limits';

/** An agent: its model, what it is told, what it may call; the rest folded until it is wanted. */
export function AgentForm({ form }: { form: SchemaFormState }) {
  const { t } = useTranslation('agents');
  const { shape } = form.root;
  const names = shape.kind === 'object' ? shape.fields().map(({ name }) => name) : [];
  const more = names.filter((name) => ![...OWN, MCP, LIMITS].includes(name));
  const part = (title: string, shown: string[]) => (
    <Folded title={title} fields={shown} form={form}>
      <SchemaForm form={form} scope={SCOPE} hide={names.filter((name) => !shown.includes(name))} />
    </Folded>
  );
  return (
    <Form value={{ form, scope: SCOPE, disabled: false }}>
      <Stack gap="lg">
        <ModelFields />
        <Instructions />
        <ToolsField />
        <div>
          {part(t('agent.mcp'), [MCP])}
          {part(t('agent.limits'), [LIMITS])}
          {part(t('agent.more'), more)}
        </div>
      </Stack>
    </Form>
  );
}

function Instructions() {
  const { t } = useTranslation('agents');
  const { form } = useForm();
  const { instructions } = form.value;
  return (
    <Textarea
      label={t('agent.instructions')}
      description={t('agent.instructionsHelp')}
      autosize
      minRows={8}
      maxRows={30}
      value={typeof instructions === 'string' ? instructions : ''}
      onChange={({ currentTarget }) => form.setValue(withKey(form.value, 'instructions', currentTarget.value || undefined))}
      error={useFault(['instructions'])}
    />
  );
}
