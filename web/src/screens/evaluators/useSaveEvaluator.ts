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
}

interface Sending {
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
    mutationFn: ({ overwrite }: Sending) => send(draft, saved, overwrite),
    onSuccess: async (evaluator) => {
      done.current = !saved;
      notifications.show({ message: t('savedAs', { name: evaluator.name }) });
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
    overwrite: () => save.mutate({ overwrite: true }),
    /** Goes back to the list, with nothing to save any more. */
    leave: () => {
      done.current = true;
      void navigate('/evaluators');
    },
    saving: save.isPending,
    error: save.error,
    stale: save.error instanceof ApiError && save.error.status === 412,
    isDirty,
  };
}

function send(draft: Draft, saved: Tagged<SavedEvaluator> | undefined, overwrite = false): Promise<SavedEvaluator> {
  if (!saved) return answer(api.POST('/api/eval/evaluators', { body: draft }));
  const header = overwrite ? {} : { 'if-match': saved.etag };
  return answer(api.PUT('/api/eval/evaluators/{evaluator_id}', { params: { path: { evaluator_id: saved.value.id }, header }, body: draft }));
}

function original({ name, description, spec }: SavedEvaluator): Draft {
  const { kind = '', ...fields } = spec;
  return { name, description, spec: { kind, ...fields } };
}
