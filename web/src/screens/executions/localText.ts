/** A moment as the browser's field for a date and a time has it, in the reader's zone; empty for none. */
export function localText(moment: string | null): string {
  const time = moment === null ? NaN : Date.parse(moment);
  if (Number.isNaN(time)) return '';
  const date = new Date(time);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}T${two(date.getHours())}:${two(date.getMinutes())}`;
}
