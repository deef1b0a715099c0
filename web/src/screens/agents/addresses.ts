/** The form of a new evaluation, with this target chosen. */
export function newRunAddress(targetId: string): string {
  return `/runs?${new URLSearchParams({ new: '1', target: targetId }).toString()}`;
}

/** The form of a new version; it begins as the one that is named, else as the active one. */
export function newVersionAddress(targetId: string, from?: number): string {
  return `/agents/${targetId}/versions/new${from === undefined ? '' : `?from=${from}`}`;
}

/** How the versions did on a dataset. */
export function historyAddress(targetId: string, datasetId: string): string {
  return `/agents/${targetId}/evaluations/history?${new URLSearchParams({ dataset: datasetId }).toString()}`;
}

export function versionAddress(targetId: string, number: number): string {
  return `/agents/${targetId}/versions/${number}`;
}

/** Two versions beside one another. */
export function compareAddress(targetId: string, a: number, b: number): string {
  return `/agents/${targetId}/versions/compare?a=${a}&b=${b}`;
}
