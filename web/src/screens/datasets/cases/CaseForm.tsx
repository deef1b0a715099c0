import { Skeleton, Stack, Text, Textarea, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type FormEvent, type KeyboardEvent, useCallback, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '~/api/errors';
import type { Tagged } from '~/api/tagged';
import { CaseFiles } from '~/screens/attachments/CaseFiles';
import { useFileRefusal } from '~/screens/attachments/fileRefusal';
import { AssertionsEditor } from '~/screens/datasets/cases/AssertionsEditor';
import { type Case, type CaseDraft, changesBetween, draftOf, inputFault, isGraded, NEW_CASE, same, typedInput, valuesOf } from '~/screens/datasets/cases/caseDraft';
import { faultsOf } from '~/screens/datasets/cases/caseFaults';
import { CaseFooter } from '~/screens/datasets/cases/CaseFooter';
import { CaseInput } from '~/screens/datasets/cases/CaseInput';
import { CaseOrder } from '~/screens/datasets/cases/CaseOrder';
import { useSaveCase } from '~/screens/datasets/cases/caseQueries';
import { CaseSimulations } from '~/screens/datasets/cases/CaseSimulations';
import { Criteria } from '~/screens/datasets/cases/Criteria';
import { OwnEvaluators } from '~/screens/datasets/cases/OwnEvaluators';
import { StaleCase } from '~/screens/datasets/cases/StaleCase';
import { WithGuide } from '~/screens/datasets/cases/WithGuide';
import { SchemaFit } from '~/screens/datasets/cases/SchemaFit';
import { useSchemas } from '~/screens/datasets/cases/useSchemas';
import type { Dataset } from '~/screens/datasets/datasets';
import { useTarget } from '~/screens/datasets/TargetSelect';
import { Caution } from '~/ui/Caution';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { within } from '~/screens/evaluators/specs';
import { useMay } from '~/ui/RoleGate';
import { readTyped } from '~/ui/typedValue';
import type { JsonSchema } from '~/ui/schema-form/schema';
import { SchemaValueInput } from '~/ui/SchemaValueInput';
import { UnsavedGuard } from '~/ui/UnsavedGuard';

import classes from './CaseForm.module.css';

interface Props {
  dataset: Dataset;
  /** The one to change; none for a new one. */
  stored?: Tagged<Case>;
  onClose: () => void;
  /** Begins with an empty form. */
  onAnother: () => void;
  /** Reads the stored one again. */
  onReload?: () => void;
}

/** The form of one case. */
export function CaseForm({ dataset, stored, onClose, onAnother, onReload }: Props) {
  const { t } = useTranslation('datasets');
  const { may, reason } = useMay('editor');
  const [initial] = useState(() => (stored ? draftOf(stored.value) : NEW_CASE));
  const [draft, setDraft] = useState(initial);
  const [tried, setTried] = useState(false);
  const [sending, setSending] = useState(false);
  const done = useRef(false);
  const form = useRef<HTMLFormElement>(null);
  const schemas = useSchemas(dataset);
  const refusal = useFileRefusal(useTarget(dataset.target_id).data ?? null);
  const save = useSaveCase(dataset.id, stored);
  const change = (changes: Partial<CaseDraft>) => setDraft({ ...draft, ...changes });
  const isDirty = useCallback(() => !done.current && !same(draft, initial), [draft, initial]);
  const input = inputFault(draft);
  const unreadable = readTyped(draft.expected).kind === 'fault';
  const fault = faultsOf(save.error);
  const inputTold = fault('/input', '/prompt');
  const stale = save.error instanceof ApiError && save.error.status === 412;

  const finish = (next: () => void) => {
    done.current = true;
    // Not where the buttons are, which somebody who adds several needs next.
    notifications.show({ position: 'bottom-left', message: stored ? t('case.changed') : t('case.added') });
    next();
  };
  const send = (next: () => void, etag?: string) => {
    setTried(true);
    if (sending) return;
    if (input || unreadable) {
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    const values = stored ? changesBetween(valuesOf(initial), valuesOf(draft)) : valuesOf(draft);
    if (stored && Object.keys(values).length === 0) finish(next);
    else save.mutate({ values, etag }, { onSuccess: () => finish(next) });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    send(onClose);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    // Dialogs that this form opened are within it for React, though not on the page.
    const inside = event.target instanceof Node && event.currentTarget.contains(event.target);
    if (!inside || !may || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    send(onAnother);
  };
  return (
    <form ref={form} onSubmit={onSubmit} onKeyDown={onKeyDown} noValidate className={classes.form}>
      <UnsavedGuard isDirty={isDirty} />
      <Stack gap="lg" className={classes.fields}>
        {!may && <Text size="sm">{reason}</Text>}
        {schemas === null ? (
          <Skeleton height={120} />
        ) : (
          <CaseInput autoFocus={!stored} draft={draft} onChange={change} error={tried && input ? t(`case.fault.${input}`) : inputTold} disabled={!may} schema={schemas.input} tried={tried} />
        )}
        <SchemaFit title={t('case.inputMisfit')} schema={schemas?.input ?? null} value={typedInput(draft)} />
        <CaseFiles value={draft.attachments} onChange={(next) => setDraft((old) => ({ ...old, attachments: next(old.attachments) }))} onBusy={setSending} error={fault('/attachments')} disabled={!may} refusal={refusal} />
        <Expectations draft={draft} onChange={change} fault={fault} disabled={!may} schema={schemas?.output ?? null} />
        <SchemaFit title={t('case.expectedMisfit')} schema={schemas?.output ?? null} value={draft.expected} />
        {!isGraded(draft, dataset.bindings) && (
          <Caution title={t('case.ungraded')}>{t('case.ungradedText')}</Caution>
        )}
        <OwnEvaluators value={draft.evaluators} onChange={(evaluators) => change({ evaluators })} errorOf={(index) => fault(`/evaluators/${index}`)} disabled={!may} />
        <Criteria value={draft.criteria} onChange={(criteria) => change({ criteria })} bound={dataset.bindings} targetId={dataset.target_id} error={fault('/criteria')} disabled={!may} />
        <CaseSimulations dataset={dataset} value={draft.simulations} onChange={(simulations) => change({ simulations })} fault={fault} disabled={!may} />
        <CaseOrder draft={draft} onChange={change} fault={fault} disabled={!may} />
      </Stack>
      <CaseFooter error={save.error && !stale ? <ErrorPanel error={within(save.error, '')} /> : null} saving={save.isPending || sending} onAnother={() => send(onAnother)} onCancel={onClose} />
      {stale && stored && (
        <StaleCase
          datasetId={dataset.id}
          before={stored.value}
          mine={valuesOf(draft)}
          onClose={save.reset}
          onReload={() => {
            save.reset();
            onReload?.();
          }}
          onOverwrite={(etag) => send(onClose, etag)}
        />
      )}
    </form>
  );
}

interface PartProps {
  draft: CaseDraft;
  onChange: (changes: Partial<CaseDraft>) => void;
  fault: (...pointers: string[]) => string | undefined;
  disabled: boolean;
  /** What the target answers, where its definition says so. */
  schema: JsonSchema | null;
}

/** What a good answer is: in words, statement by statement, or the answer itself. */
function Expectations({ draft, onChange, fault, disabled, schema }: PartProps) {
  const { t } = useTranslation('datasets');
  const faults = { behavior: fault('/expected_behavior'), expected: fault('/expected_output') };
  return (
    <>
      <div>
        <Title order={3}>{t('case.good')}</Title>
        <Text size="sm" c="dimmed">
          {t('case.goodText')}
        </Text>
      </div>
      <WithGuide>
        <Textarea label={t('case.behavior')} description={t('case.behaviorHelp')} autosize minRows={2} maxRows={14} value={draft.behavior} onChange={({ currentTarget }) => onChange({ behavior: currentTarget.value })} error={faults.behavior} disabled={disabled} />
      </WithGuide>
      <AssertionsEditor value={draft.assertions} onChange={(assertions) => onChange({ assertions })} errorOf={(index) => fault(`/assertions/${index}`)} disabled={disabled} />
      <SchemaValueInput label={t('case.expected')} description={t('case.expectedHelp')} schema={schema} tried={false} value={draft.expected} onChange={(expected) => onChange({ expected })} error={faults.expected} disabled={disabled} />
    </>
  );
}
