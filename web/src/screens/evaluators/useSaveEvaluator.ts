import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { answer, api } from '~/api/client';
import { ApiError, type FieldFault } from '~/api/errors';
import { keys } from '~/api/keys';
import type { Tagged } from '~/api/tagged';
import type { SavedEvaluator } from '~/screens/evaluators/EvaluatorList';

export interface Draft {
  name: string;
  description: string;
  spec: SavedEvaluator['spec'];
  /** The target that it is made for. */
  target_id: string | null;
}

interface Sending {
  /** What is new in the spec, in words. */
  note?: string;
  /** Takes the server's faults of the spec. */
  onFaults?: (faults: FieldFault[]) => void;
  /** Whether what somebody else saved meanwhile may be written over. */
  overwrite?: boolean;
}

/** Creates an evaluator, or changes the saved one; leads to its page. */
export function useSaveEvaluator(draft: Draft, saved?: Tagged<SavedEvaluator>) {
  const { t } = useTranslation('evaluators');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const done = useRef(false);
  const save = useMutation({
    mutationFn: ({ overwrite, note }: Sending) => send(draft, saved, note, overwrite),
    onSuccess: async (evaluator) => {
      done.current = !saved;
      const isNew = saved && evaluator.version !== saved.value.version;
      notifications.show({ message: isNew ? t('savedVersion', { name: evaluator.name, version: evaluator.version }) : t('savedAs', { name: evaluator.name }) });
      await queries.invalidateQueries({ queryKey: keys.evaluators() });
      void queries.invalidateQueries({ queryKey: keys.datasets() });
      if (!saved) void navigate(`/evaluators/${evaluator.id}`, { replace: true });
    },
    onError: (error, { onFaults }) => error instanceof ApiError && onFaults?.(error.errors),
  });
  const changed = JSON.stringify(draft) !== JSON.stringify(saved ? original(saved.value) : { ...draft, name: '', description: '', spec: { kind: draft.spec.kind } });
  const isDirty = useCallback(() => changed && !done.current, [changed]);
  return {
    send: (sending: Sending) => save.mutate(sending),
    overwrite: (note: string) => save.mutate({ overwrite: true, note }),
    /** Goes back to the list, with nothing to save any more. */
    leave: () => {
      done.current = true;
      void navigate('/evaluators');
    },
    saving: save.isPending,
    error: save.error,
    stale: save.error instanceof ApiError && save.error.status === 412,
    isDirty,
    /** Whether what is saved would be a new version. */
    isNewVersion: saved !== undefined && JSON.stringify(draft.spec) !== JSON.stringify(original(saved.value).spec),
  };
}

function send(draft: Draft, saved: Tagged<SavedEvaluator> | undefined, note = '', overwrite = false): Promise<SavedEvaluator> {
  if (!saved) return answer(api.POST('/api/eval/evaluators', { body: draft }));
  const header = overwrite ? {} : { 'if-match': saved.etag };
  return answer(api.PUT('/api/eval/evaluators/{evaluator_id}', { params: { path: { evaluator_id: saved.value.id }, header }, body: { ...draft, note } }));
}

function original({ name, description, spec, target_id }: SavedEvaluator): Draft {
  const { kind = '', ...fields } = spec;
  return { name, description, spec: { kind, ...fields }, target_id };
}
