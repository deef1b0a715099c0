/** Moves the focus to the first field of a form that shows a fault, once it is drawn. */
export function focusFault(form: HTMLElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
