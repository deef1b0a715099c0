import { AgentForm } from '~/screens/agents/definition/AgentForm';
import { SchemaForm } from '~/ui/schema-form/SchemaForm';
import type { SchemaFormState } from '~/ui/schema-form/useSchemaForm';

interface Props {
  kind: string;
  /** The kind's schema and what was given of it, without `kind`. */
  form: SchemaFormState;
}

/** The definition of a target: agents have a form of their own, other kinds that of their schema. */
export function DefinitionForm({ kind, form }: Props) {
  return kind === 'agent' ? <AgentForm form={form} /> : <SchemaForm form={form} scope={`target.${kind}`} />;
}
