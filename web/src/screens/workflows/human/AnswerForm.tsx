import { Button, Group, Stack, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconSend } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '~/api/errors';
import { type HumanStep, useAnswer } from '~/screens/workflows/human/waiting';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { focusFault } from '~/ui/focusFault';
import { RoleGate } from '~/ui/RoleGate';
import type { Json, JsonSchema } from '~/ui/schema-form/schema';
import { SchemaForm } from '~/ui/schema-form/SchemaForm';
import { useSchemaForm } from '~/ui/schema-form/useSchemaForm';
import { completed } from '~/ui/schema-form/values';
import { withFields } from '~/ui/SchemaValueInput';

/** The field that an answer without fields of its own stands in. */
const ONLY = 'answer';

interface Props {
  executionId: string;
  step: HumanStep;
}

/** The answer to a step that waits: by its schema, else a text. */
export function AnswerForm({ executionId, step }: Props) {
  const schema = step.answer_schema as JsonSchema | null;
  return schema === null || (schema.type === 'string' && !schema.enum) ? <TextAnswer executionId={executionId} step={step} /> : <FieldsAnswer executionId={executionId} step={step} schema={schema} />;
}

function TextAnswer({ executionId, step }: Props) {
  const { t } = useTranslation('workflows');
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const { send, sending, error } = useSend(executionId, step.step);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (text.trim() === '') focusFault(event.currentTarget);
    else send(text);
  };
  return (
    <Frame onSubmit={submit} sending={sending} error={error}>
      <Textarea label={t('answer.label')} required autosize minRows={2} maxRows={12} value={text} onChange={({ currentTarget }) => setText(currentTarget.value)} error={tried && text.trim() === '' ? t('answer.missing') : undefined} />
    </Frame>
  );
}

function FieldsAnswer({ executionId, step, schema }: Props & { schema: JsonSchema }) {
  const { t } = useTranslation('workflows');
  const [wrapped] = useState(() => {
    const fields = withFields(schema);
    return { alone: fields === null, schema: fields ?? { type: 'object', $defs: schema.$defs, properties: { [ONLY]: { title: t('answer.label'), ...schema } }, required: [ONLY] } };
  });
  const form = useSchemaForm(wrapped.schema);
  const { send, sending, error } = useSend(executionId, step.step);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    if (!form.validate()) return focusFault(element);
    const value = completed(form.root, form.value);
    send(wrapped.alone ? (value[ONLY] ?? null) : value, (told) => {
      form.setServerErrors(told.errors, wrapped.alone ? '' : `/${ONLY}`);
      focusFault(element);
    });
  };
  return (
    <Frame onSubmit={submit} sending={sending} error={error}>
      <SchemaForm form={form} scope="" />
    </Frame>
  );
}

function useSend(executionId: string, step: string) {
  const { t } = useTranslation('workflows');
  const mutation = useAnswer(executionId, step);
  const send = (value: Json, onFaults?: (error: ApiError) => void) =>
    mutation.mutate(value, {
      onSuccess: () => notifications.show({ message: t('answer.sent') }),
      onError: (error) => error instanceof ApiError && onFaults?.(error),
    });
  return { send, sending: mutation.isPending, error: mutation.error };
}

interface FrameProps {
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  sending: boolean;
  error: Error | null;
  children: ReactNode;
}

function Frame({ onSubmit, sending, error, children }: FrameProps) {
  const { t } = useTranslation('workflows');
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="sm">
        {children}
        {error && <ErrorPanel error={error} />}
        <Group>
          <RoleGate role="editor">
            {(gate) => (
              <Button type="submit" loading={sending} leftSection={<IconSend size={16} aria-hidden />} {...gate}>
                {t('answer.send')}
              </Button>
            )}
          </RoleGate>
        </Group>
      </Stack>
    </form>
  );
}
