import { answer, api } from '~/api/client';

/** A dataset that is there, or the name of one that is yet to be made. */
export interface DatasetChoice {
  isNew: boolean;
  dataset: string | null;
  newName: string;
}

export type DatasetFault = 'datasetMissing' | 'newMissing';

/** The first one that may be changed is chosen; where there is none, one is made. */
export function firstOf(datasets: readonly { id: string; may_change: boolean }[]): DatasetChoice {
  const first = datasets.find(({ may_change }) => may_change);
  return { isNew: first === undefined, dataset: first?.id ?? null, newName: '' };
}

/** What must be mended; a message key. */
export function datasetFault({ isNew, dataset, newName }: DatasetChoice): DatasetFault | undefined {
  if (isNew) return newName.trim() ? undefined : 'newMissing';
  return dataset ? undefined : 'datasetMissing';
}

/** The chosen dataset; a new one is made, for the target if there is just one. */
export async function readDataset({ isNew, dataset, newName }: DatasetChoice, targetId: string | null): Promise<{ id: string; name: string }> {
  if (isNew) return answer(api.POST('/api/eval/datasets', { body: { name: newName.trim(), target_id: targetId, judge_samples: 1 } }));
  return answer(api.GET('/api/eval/datasets/{dataset_id}', { params: { path: { dataset_id: dataset ?? '' } } }));
}
