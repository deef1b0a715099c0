import { Tooltip } from '@mantine/core';
import { createContext, type MouseEvent, type ReactElement, type ReactNode, use } from 'react';
import { useTranslation } from 'react-i18next';

import { includes, type Role, useSession } from '~/api/session';

/** Props for a button that may not be used: it stays in reach of the keyboard, so that the reason can be read. */
export interface Gate {
  'data-disabled'?: true;
  'aria-disabled'?: true;
  onClick?: (event: MouseEvent) => void;
}

const CLOSED: Gate = { 'data-disabled': true, 'aria-disabled': true, onClick: (event) => event.preventDefault() };
/** Why nobody here may change anything, whatever their role; null when it goes by the role alone. */
const Closed = createContext<string | null>(null);

/** Whether the signed-in user's role includes the needed one, and what to tell them if not. */
export function useMay(role: Role): { may: boolean; reason: string } {
  const { t } = useTranslation(['ui', 'common']);
  const session = useSession();
  const closed = use(Closed);
  const needed = t('role.needed', { role: t(`common:role.${role}`) });
  if (!includes(session.data?.role, role)) return { may: false, reason: needed };
  return { may: closed === null, reason: closed ?? needed };
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

/** What concerns all targets: who is granted some of them only reads it. */
export function AllTargetsOnly({ children }: { children: ReactNode }) {
  const { t } = useTranslation('ui');
  const narrowed = useSession().data?.targets != null;
  return <Closed value={narrowed ? t('role.allTargets') : null}>{children}</Closed>;
}

/** What is of one target, or of none: who is granted some targets only changes what is of theirs. */
export function OwnTargetOnly({ targetId, children }: { targetId: string | null; children: ReactNode }) {
  const { t } = useTranslation('ui');
  const granted = useSession().data?.targets;
  const closed = granted != null && (targetId === null || !granted.includes(targetId));
  return <Closed value={closed ? t('role.ownTarget') : null}>{children}</Closed>;
}

/** What everybody of the role may do, within what not everybody may change. */
export function RoleOnly({ children }: { children: ReactNode }) {
  return <Closed value={null}>{children}</Closed>;
}
