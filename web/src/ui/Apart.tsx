import type { FormEvent, ReactNode } from 'react';
import { createPortal } from 'react-dom';

/**
 * Draws a dialog at the end of the page, whatever opened it. HTML knows no form within a form, and React hands on what
 * happens in a dialog to what opened it: sending the dialog's form is not sending the one behind it.
 */
export function Apart({ children }: { children: ReactNode }) {
  return createPortal(<div onSubmit={(event: FormEvent) => event.stopPropagation()}>{children}</div>, document.body);
}
