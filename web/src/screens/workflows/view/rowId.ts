/** The id of the row of a step in the page. */
export function rowId(step: string): string {
  return `workflow-step-${step}`;
}
