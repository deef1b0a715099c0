import { Stack } from '@mantine/core';
import { type FormEvent, useCallback, useState } from 'react';

import { SavedVersion } from '~/screens/agents/SavedVersion';
import type { Target, Version } from '~/screens/agents/targets';
import { useSaveVersion } from '~/screens/agents/useSaveVersion';
import { VersionEnd } from '~/screens/agents/VersionEnd';
import { sourceOf } from '~/screens/workflows/editor/source';
import { useWorkflowText } from '~/screens/workflows/editor/useWorkflowText';
import { WorkflowEditor } from '~/screens/workflows/editor/WorkflowEditor';
import { templateText } from '~/screens/workflows/templates/templates';
import { focusFault } from '~/ui/focusFault';
import type { JsonObject } from '~/ui/schema-form/schema';
import { UnsavedGuard } from '~/ui/UnsavedGuard';

/** The form of a new version of a workflow, which begins as another one. */
export default function NewWorkflowVersion({ target, from }: { target: Target; from: Version | undefined }) {
  const [initial] = useState(() => (from ? sourceOf(from.definition as JsonObject) : templateText('blank', null)));
  const workflow = useWorkflowText(initial);
  const [note, setNote] = useState('');
  const save = useSaveVersion(target.id, workflow.tell);
  const changed = note !== '' || workflow.text !== initial;
  const isDirty = useCallback(() => changed && !save.done.current, [changed, save.done]);
  const send = async (form: HTMLFormElement) => {
    const definition = await workflow.definition();
    if (!definition) return focusFault(form);
    save.mutation.mutate({ definition: { ...definition, kind: 'workflow' }, note: note.trim() || null }, { onError: () => focusFault(form) });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    save.mutation.reset();
    void send(event.currentTarget);
  };
  const { error, isPending, data } = save.mutation;
  return (
    <form onSubmit={submit} noValidate>
      <UnsavedGuard isDirty={isDirty} />
      <Stack gap="lg">
        <WorkflowEditor text={workflow.text} onChange={workflow.setText} checked={workflow.checked} />
        <VersionEnd note={note} onNote={setNote} error={error} isPending={isPending} />
      </Stack>
      {data && <SavedVersion target={target} saved={data} />}
    </form>
  );
}
