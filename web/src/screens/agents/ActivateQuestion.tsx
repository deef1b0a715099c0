import { Button, Group, Skeleton, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

import { type Target, useActivate } from '~/screens/agents/targets';
import { gateQuery, type GateState, refusalOf } from '~/screens/gate/gateQueries';
import { OverrideFields } from '~/screens/gate/OverrideFields';
import { Refusal } from '~/screens/gate/Refusal';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useMay } from '~/ui/RoleGate';

interface Props {
  target: Target;
  number: number;
  /** The words of the button that leaves everything as it is. */
  cancelLabel: string;
  onCancel: () => void;
  onDone: () => void;
}

/** What the gate says of a version, and the button that makes it active; for owners also when the gate refuses. */
export function ActivateQuestion({ target, number, cancelLabel, onCancel, onDone }: Props) {
  const { t } = useTranslation('agents');
  const [reason, setReason] = useState<string | null>(null);
  const gate = useQuery(gateQuery(target.id, number));
  const activate = useActivate(target.id, ({ active }) => {
    notifications.show({ message: t('activate.done', { number: active }) });
    onDone();
  });
  const refusal = refusalOf(activate.error);
  // A refusal is newer than what was shown before, until the gate is asked again.
  const state = refusal && activate.submittedAt >= gate.dataUpdatedAt ? refusal : gate.data?.value;
  const { may } = useMay('owner');
  const refused = state?.allowed === false;
  return (
    <>
      {gate.isPending && <Skeleton height={72} />}
      {gate.isError && <ErrorPanel error={gate.error} onRetry={() => void gate.refetch()} />}
      {state && <Gate state={state} onReason={setReason} />}
      {activate.error && !refusal && <ErrorPanel error={activate.error} />}
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel} data-autofocus>
          {cancelLabel}
        </Button>
        <Button color={refused ? 'red.8' : undefined} loading={activate.isPending} disabled={refused && reason === null} onClick={() => activate.mutate({ number, reason: refused ? reason : null })}>
          {refused && may ? t('activate.override') : t('activate.confirm')}
        </Button>
      </Group>
    </>
  );
}

/** The gate's word; where it refuses, the figures, the mend, and what an owner may do all the same. */
function Gate({ state, onReason }: { state: GateState; onReason: (reason: string | null) => void }) {
  const { t } = useTranslation('gate');
  const { may } = useMay('owner');
  if (state.policies.length === 0) return null;
  return (
    <>
      <Refusal state={state} />
      {!state.allowed && (may ? <OverrideFields version={state.version} onReason={onReason} /> : <Text size="sm">{t('ownersMay')}</Text>)}
    </>
  );
}
