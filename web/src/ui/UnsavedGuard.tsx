import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';

import { ConfirmDialog } from '~/ui/ConfirmDialog';

/**
 * Asks before what was typed is lost, by a link, the back button or by closing the tab.
 * `isDirty` is asked when somebody leaves, so that a form which was just saved can let go at once.
 */
export function UnsavedGuard({ isDirty }: { isDirty: () => boolean }) {
  const { t } = useTranslation('ui');
  const blocker = useBlocker(({ currentLocation, nextLocation }) => isDirty() && addressOf(currentLocation) !== addressOf(nextLocation));
  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent) => {
      if (isDirty()) event.preventDefault();
    };
    window.addEventListener('beforeunload', onLeave);
    return () => window.removeEventListener('beforeunload', onLeave);
  }, [isDirty]);
  return (
    <ConfirmDialog
      opened={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
      title={t('unsaved.title')}
      text={t('unsaved.text')}
      confirmLabel={t('unsaved.leave')}
    />
  );
}

function addressOf({ pathname, search }: { pathname: string; search: string }): string {
  return pathname + search;
}
