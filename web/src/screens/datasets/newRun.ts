/** The form of a new evaluation, with this dataset chosen. */
export function newRunAddress(datasetId: string): string {
  return `/runs?${new URLSearchParams({ new: '1', dataset: datasetId }).toString()}`;
}
