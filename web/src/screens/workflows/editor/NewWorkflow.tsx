import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { NameFields } from '~/screens/agents/NameFields';
import { useCreateTarget } from '~/screens/agents/useCreateTarget';
import { TemplateChoice } from '~/screens/workflows/editor/TemplateChoice';
import { useWorkflowText } from '~/screens/workflows/editor/useWorkflowText';
import { WorkflowEditor } from '~/screens/workflows/editor/WorkflowEditor';
import { type DefaultModel, TEMPLATE_NAMES, type TemplateName, templateText } from '~/screens/workflows/templates/templates';
import { modelsQuery } from '~/screens/runs/runQueries';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { focusFault } from '~/ui/focusFault';
import { AllTargetsOnly, RoleGate } from '~/ui/RoleGate';
import { UnsavedGuard } from '~/ui/UnsavedGuard';

const [FIRST] = TEMPLATE_NAMES;

/** The form of a new workflow. Its example is on the server's own model, so that is asked for first. */
export default function NewWorkflow() {
  const models = useQuery(modelsQuery());
  if (models.isPending) return <Skeleton height={420} />;
  return <WorkflowForm model={models.data?.model ?? null} />;
}

function WorkflowForm({ model }: { model: DefaultModel | null }) {
  const { t } = useTranslation(['workflows', 'agents']);
  const [template, setTemplate] = useState<TemplateName>(FIRST ?? 'blank');
  const workflow = useWorkflowText(templateText(template, model));
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [tried, setTried] = useState(false);
  const create = useCreateTarget(workflow.tell);
  const written = workflow.text !== templateText(template, model);
  const started = written || name !== '' || description !== '';
  const isDirty = useCallback(() => started && !create.done.current, [started, create.done]);
  const save = async (form: HTMLFormElement) => {
    const definition = await workflow.definition();
    if (!name.trim() || !definition) return focusFault(form);
    create.mutation.mutate({ name: name.trim(), description: description.trim() || null, definition: { ...definition, kind: 'workflow' } }, { onError: () => focusFault(form) });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    create.mutation.reset();
    void save(event.currentTarget);
  };
  const { error, isPending } = create.mutation;
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedGuard isDirty={isDirty} />
      <Stack gap="lg">
        <Stack gap="md" maw={820}>
          <NameFields name={name} description={description} onName={setName} onDescription={setDescription} error={error} tried={tried} autoFocus />
        </Stack>
        <TemplateChoice
          value={template}
          written={written}
          onChange={(chosen) => {
            setTemplate(chosen);
            workflow.setText(templateText(chosen, model));
          }}
        />
        <WorkflowEditor text={workflow.text} onChange={workflow.setText} checked={workflow.checked} />
        {error && <ErrorPanel error={error} />}
        <Group>
          <AllTargetsOnly>
            <RoleGate role="editor">
              {(gate) => (
                <Button type="submit" loading={isPending} {...gate}>
                  {t('agents:create.submit')}
                </Button>
              )}
            </RoleGate>
          </AllTargetsOnly>
        </Group>
      </Stack>
    </form>
  );
}
