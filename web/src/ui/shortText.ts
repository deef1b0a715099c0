const SHORT = 400;

/** The beginning of a text, for a line that shows no more; a browser lays out a megabyte slowly, however it is cut. */
export function shortText(text: string, most = SHORT): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}
