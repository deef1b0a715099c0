import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '~/api/errors';
import type { Tagged } from '~/api/tagged';
import { type OnlineRule, useSaveRule } from '~/screens/online/onlineQueries';
import { draftOf, type Faults, givenOf, missingIn, newDraft, placed, type RuleDraft } from '~/screens/online/ruleDraft';
import { RuleEvaluators } from '~/screens/online/RuleEvaluators';
import { RuleFields } from '~/screens/online/RuleFields';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { focusFault } from '~/ui/focusFault';
import { RoleGate } from '~/ui/RoleGate';

const NAME_LENGTH = 200;

interface Props {
  targetId: string;
  /** The one that is edited; a new one when left out. */
  editing?: Tagged<OnlineRule>;
  onClose: () => void;
  onSaved: (saved: OnlineRule) => void;
}

/** Makes a rule, or edits one. */
export function RuleDialog({ targetId, editing, onClose, onSaved }: Props) {
  const { t } = useTranslation(['online', 'common']);
  const [draft, setDraft] = useState(() => (editing ? draftOf(editing.value) : newDraft()));
  const [tried, setTried] = useState(false);
  const save = useSaveRule(targetId, editing, onSaved);
  const told = placed(save.error instanceof ApiError ? save.error.errors : [], draft.evaluators);
  const lacking = tried ? Object.entries(missingIn(draft)).map(([field, fault]) => [field, t(`form.fault.${fault}`)]) : [];
  const faults: Faults = { ...told.faults, ...(Object.fromEntries(lacking) as Faults) };
  const change = (changes: Partial<RuleDraft>) => {
    save.reset();
    setDraft({ ...draft, ...changes });
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(missingIn(draft)).length === 0) save.mutate(givenOf(draft));
    else focusFault(event.currentTarget);
  };
  return (
    <Modal opened onClose={onClose} title={t(editing ? 'form.edit' : 'form.new')} size={760} closeButtonProps={{ 'aria-label': t('common:close') }}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput label={t('form.name')} required maxLength={NAME_LENGTH} data-autofocus value={draft.name} onChange={({ currentTarget }) => change({ name: currentTarget.value })} error={faults.name} />
          <RuleEvaluators value={draft.evaluators} onChange={(evaluators) => change({ evaluators })} error={faults.evaluators} />
          <RuleFields targetId={targetId} draft={draft} onChange={change} faults={faults} />
          {save.error && !told.complete && <ErrorPanel error={save.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {t('common:cancel')}
            </Button>
            <RoleGate role="editor">
              {(gate) => (
                <Button type="submit" loading={save.isPending} {...gate}>
                  {t(editing ? 'common:save' : 'common:create')}
                </Button>
              )}
            </RoleGate>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
