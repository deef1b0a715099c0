import { Button, Group, Paper, Stack } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react';
import { type ComponentProps, type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { CaseFiles } from '~/screens/attachments/CaseFiles';
import { useAsksPeople, useFileRefusal } from '~/screens/attachments/fileRefusal';
import type { Attachment } from '~/screens/attachments/files';
import type { Runner } from '~/screens/agents/runner/useRunner';
import { type Target, useVersion } from '~/screens/agents/targets';
import { readInput } from '~/screens/executions/caseDraft';
import { VersionSelect } from '~/screens/runs/VersionSelect';
import { useListParams } from '~/ui/listParams';
import { RoleGate, useMay } from '~/ui/RoleGate';
import type { JsonSchema } from '~/ui/schema-form/schema';
import { SchemaValueInput, valueOfFields } from '~/ui/SchemaValueInput';
import type { Typed } from '~/ui/typedValue';

interface Props {
  target: Target;
  input: Typed;
  onInput: (input: Typed) => void;
  files: Attachment[];
  /** Takes what makes the next files of those there are then. */
  onFiles: (next: (files: Attachment[]) => Attachment[]) => void;
  runner: Runner;
  onRun: Runner['run'];
}

/**
 * What is put to the target, and to which version of it (`?version=` in the address). Where the version says what its
 * input must be, the fields of that.
 */
export function InvokeForm({ target, input, onInput, files, onFiles, runner, onRun }: Props) {
  const { t } = useTranslation('agents');
  const params = useListParams();
  const { may } = useMay('editor');
  const [tried, setTried] = useState(false);
  const [sending, setSending] = useState(false);
  const version = params.filter('version');
  const schema = useInputSchema(target, version);
  const fields = valueOfFields(schema, input);
  const read = fields ? { value: fields.value } : readInput(input);
  const submit = () => {
    setTried(true);
    if (fields && !fields.fits) return;
    if (may && !runner.running && !sending && 'value' in read) onRun({ input: read.value, version: version === null ? null : Number(version), ...(files.length > 0 && { attachments: files }) });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    submit();
  };
  return (
    <Paper p="lg">
      <form
        onSubmit={onSubmit}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
        }}
        noValidate
      >
        <Stack>
          <SchemaValueInput
            key={version}
            schema={schema}
            tried={tried}
            label={t('runner.input')}
            description={t('runner.inputHelp')}
            placeholder={t('runner.placeholder')}
            minRows={4}
            value={input}
            onChange={onInput}
            error={tried && 'fault' in read ? t(`runner.${read.fault}`) : undefined}
          />
          <Files target={target} version={version === null ? null : Number(version)} value={files} onChange={onFiles} onBusy={setSending} disabled={!may} />
          <Group align="flex-end" justify="space-between">
            <VersionSelect target={target.id} value={version} onChange={(value) => params.setFilter('version', value)} error={null} />
            {runner.running ? (
              <Button variant="default" leftSection={<IconPlayerStop size={16} aria-hidden />} onClick={runner.stop}>
                {t('runner.stop')}
              </Button>
            ) : (
              <RoleGate role="editor">
                {(gate) => (
                  <Button type="submit" loading={sending} leftSection={<IconPlayerPlay size={16} aria-hidden />} {...gate}>
                    {t('runner.run')}
                  </Button>
                )}
              </RoleGate>
            )}
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}

interface FilesProps extends Pick<ComponentProps<typeof CaseFiles>, 'value' | 'onChange' | 'onBusy' | 'disabled'> {
  target: Target;
  version: number | null;
}

/** What goes with the input, where the version takes files; and why not, where some are chosen that it does not take. */
function Files({ target, version, ...files }: FilesProps) {
  const { t } = useTranslation('attachments');
  const waits = useAsksPeople(target.id, version);
  const refused = useFileRefusal(target, version);
  const refusal = waits ? t('refused.waits', { name: target.name }) : refused;
  if (refusal !== null && files.value.length === 0) return null;
  return <CaseFiles compact refusal={refusal} error={undefined} {...files} />;
}

/** What the input of a version must be, where its definition says so. */
function useInputSchema(target: Target, chosen: string | null): JsonSchema | null {
  const version = useVersion(target.id, chosen === null ? target.active : Number(chosen));
  return (version.data?.definition.input_schema as JsonSchema | null | undefined) ?? null;
}
