import { Button, Group, Input, SegmentedControl, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '~/api/errors';
import { faultsOf } from '~/screens/datasets/cases/caseFaults';
import { modelsQuery } from '~/screens/runs/runQueries';
import { AnswersEditor } from '~/screens/simulations/AnswersEditor';
import { draftOf, isSound, outputForm, type SimulationDraft, simulationOf } from '~/screens/simulations/simulationDraft';
import { useAbout } from '~/screens/simulations/SimulationList';
import { type Component, needOf, type Simulation } from '~/screens/simulations/simulations';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { focusFault } from '~/ui/focusFault';
import { RoleGate } from '~/ui/RoleGate';

interface Props {
  component: Component;
  initial?: Simulation;
  submitLabel: string;
  onClose: () => void;
  onDone: (simulation: Simulation) => unknown;
}

/** The form of one simulation: fixed answers, or a description by which a model writes them. */
export function SimulationForm({ component, initial, submitLabel, onClose, onDone }: Props) {
  const { t } = useTranslation(['simulations', 'common']);
  const [draft, setDraft] = useState(() => draftOf(component, initial));
  const [tried, setTried] = useState(false);
  const form = useMemo(() => outputForm(component.output_schema, t('output')), [component, t]);
  const done = useMutation({ mutationFn: async () => onDone(simulationOf(draft, form)) });
  // Several parts of one field may speak in the same moment, so each changes what the others left.
  const change = (next: (before: SimulationDraft) => SimulationDraft) => {
    setDraft(next);
    if (done.error) done.reset();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    setTried(true);
    if (isSound(draft, form)) done.mutate(undefined, { onError: () => focusFault(element) });
    else focusFault(element);
  };
  const fault = faultsOf(done.error);
  const descriptionFault = fault('/description');
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Why component={component} />
        <KindChoice value={draft.kind} onChange={(kind) => change((before) => ({ ...before, kind }))} />
        {draft.kind === 'static' ? (
          <AnswersEditor component={component} form={form} answers={draft.answers} tried={tried} fault={fault} onChange={(next) => change((before) => ({ ...before, answers: next(before.answers) }))} />
        ) : (
          <Description value={draft.description} tried={tried} error={descriptionFault} onChange={(description) => change((before) => ({ ...before, description }))} />
        )}
        {done.error && <Told error={done.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('common:cancel')}
          </Button>
          <RoleGate role="editor">
            {(gate) => (
              <Button type="submit" loading={done.isPending} {...gate}>
                {submitLabel}
              </Button>
            )}
          </RoleGate>
        </Group>
      </Stack>
    </form>
  );
}

/** What the component does, and why it is simulated. */
function Why({ component }: { component: Component }) {
  const { t } = useTranslation('simulations');
  const about = useAbout(component);
  const need = needOf(component);
  return (
    <Text size="sm" c="dimmed" maw="75ch" component="div">
      {about && <div>{about}</div>}
      {need && <div>{t(`why.${need}`)}</div>}
    </Text>
  );
}

function KindChoice({ value, onChange }: { value: Simulation['kind']; onChange: (kind: Simulation['kind']) => void }) {
  const { t } = useTranslation('simulations');
  const id = useId();
  const data = (['static', 'generated'] as const).map((kind) => ({ value: kind, label: t(`by.${kind}`) }));
  return (
    <Input.Wrapper label={t('by.label')} description={t(`by.${value}Help`)} labelProps={{ id }} labelElement="div" inputWrapperOrder={['label', 'input', 'description']}>
      <div>
        <SegmentedControl my={6} aria-labelledby={id} data={data} value={value} onChange={(kind) => onChange(kind as Simulation['kind'])} />
      </div>
    </Input.Wrapper>
  );
}

interface DescriptionProps {
  value: string;
  tried: boolean;
  error?: string;
  onChange: (value: string) => void;
}

/** How the component answers, in words; and whether there is a model to write by them. */
function Description({ value, tried, error, onChange }: DescriptionProps) {
  const { t } = useTranslation('simulations');
  const judge = useQuery(modelsQuery()).data?.judge;
  const missing = tried && value.trim() === '' ? t('descriptionMissing') : undefined;
  return (
    <>
      <Textarea label={t('description')} description={t('descriptionHelp')} placeholder={t('descriptionExample')} required autosize minRows={4} maxRows={16} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} error={missing ?? error} />
      <Text size="sm" c="dimmed">
        {judge ? t('judge', { model: judge.model }) : t('noJudge')}
      </Text>
    </>
  );
}

function Told({ error }: { error: Error }) {
  const { t } = useTranslation('datasets');
  return (
    <>
      <ErrorPanel error={error} />
      {error instanceof ApiError && error.status === 412 && <Text size="sm">{t('staleAgain')}</Text>}
    </>
  );
}
