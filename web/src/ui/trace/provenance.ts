/** Where what a tool or a step gave came from. */
export type Provenance = 'real' | 'static' | 'generated';

/** The attribute of a span that says so. */
export const PROVENANCE = 'aloi.provenance';

/** What is not said to be simulated acted for real. */
export function provenanceOf(value: unknown): Provenance {
  return value === 'static' || value === 'generated' ? value : 'real';
}
