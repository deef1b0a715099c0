import { Tooltip } from '@mantine/core';
import type { MouseEvent, ReactElement } from 'react';
import { useTranslation } from 'react-i18next';

import { includes, type Role, useSession } from '~/api/session';

/** Props for a button that may not be used: it stays in reach of the keyboard, so that the reason can be read. */
export interface Gate {
  'data-disabled'?: true;
  'aria-disabled'?: true;
  onClick?: (event: MouseEvent) => void;
}

const CLOSED: Gate = { 'data-disabled': true, 'aria-disabled': true, onClick: (event) => event.preventDefault() };

/** Whether the signed-in user's role includes the needed one, and what to tell them if not. */
export function useMay(role: Role): { may: boolean; reason: string } {
  const { t } = useTranslation(['ui', 'common']);
  const session = useSession();
  return { may: includes(session.data?.role, role), reason: t('role.needed', { role: t(`common:role.${role}`) }) };
}

interface Props {
  role: Role;
  /** Draws the button with the gate's props last: `{(gate) => <Button onClick={…} {...gate}>…</Button>}`. */
  children: (gate: Gate) => ReactElement<Record<string, unknown>>;
}

/** A button that only some roles may use; for the others it is disabled and says why. */
export function RoleGate({ role, children }: Props) {
  const { may, reason } = useMay(role);
  return (
    <Tooltip label={reason} disabled={may}>
      {children(may ? {} : CLOSED)}
    </Tooltip>
  );
}
