import { useForm } from '@mantine/form';

import type { Schemas } from '~/api/client';
import type { FieldFault } from '~/api/errors';

/** What is typed into the form. Null: not chosen, so the default of the moment holds. */
export interface NewRunValues {
  target: string | null;
  version: string | null;
  dataset: string | null;
  concurrency: number | string;
  trials: number | string;
  judgeModel: string;
  judgeAddress: string;
  judgeKey: string;
  secondsPerCase: number | string;
  maxCost: number | string;
  maxTokens: number | string;
  allowSideEffects: boolean;
  tags: string[];
}

const EMPTY: NewRunValues = {
  target: null,
  version: null,
  dataset: null,
  concurrency: 5,
  trials: 1,
  judgeModel: '',
  judgeAddress: '',
  judgeKey: '',
  secondsPerCase: 300,
  maxCost: '',
  maxTokens: '',
  allowSideEffects: false,
  tags: [],
};

/** Where the server's words on a field belong. */
const FIELDS: [RegExp, keyof NewRunValues][] = [
  [/^\/(target_id|agent_id|target_version_id)/, 'target'],
  [/^\/version/, 'version'],
  [/^\/(dataset_id|case_ids)/, 'dataset'],
  [/^\/concurrency/, 'concurrency'],
  [/^\/trials/, 'trials'],
  [/^\/judge\/base_url/, 'judgeAddress'],
  [/^\/judge\/api_key_env/, 'judgeKey'],
  [/^\/judge/, 'judgeModel'],
  [/^\/seconds_per_case/, 'secondsPerCase'],
  [/^\/max_cost/, 'maxCost'],
  [/^\/max_tokens/, 'maxTokens'],
  [/^\/allow_side_effects/, 'allowSideEffects'],
  [/^\/tags/, 'tags'],
];

export const useNewRunForm = (given: Partial<NewRunValues>) => useForm<NewRunValues>({ initialValues: { ...EMPTY, ...given } });

/** What is sent. A field that was emptied is left to the server's default. */
export function runStart(values: NewRunValues, target: string, dataset: string): Schemas['RunStart'] {
  const { version, judgeModel, judgeAddress, judgeKey, tags } = values;
  const limits = {
    concurrency: given(values.concurrency),
    trials: given(values.trials),
    seconds_per_case: given(values.secondsPerCase),
    max_cost: given(values.maxCost),
    max_tokens: given(values.maxTokens),
  };
  const judge = judgeModel.trim() === '' ? undefined : { model: judgeModel.trim(), base_url: judgeAddress.trim() || undefined, api_key_env: judgeKey.trim() || undefined };
  const body = { target_id: target, version: version === null ? undefined : Number(version), dataset_id: dataset, ...limits, judge, allow_side_effects: values.allowSideEffects || undefined, tags };
  // The server's own defaults hold for what is left out, though the types say that it has them.
  return body as Schemas['RunStart'];
}

function given(value: number | string): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The server's faults by field, and whether every one of them has a field. */
export function fieldErrors(faults: FieldFault[]): { errors: Partial<Record<keyof NewRunValues, string>>; complete: boolean } {
  const placed = faults.map(({ pointer, detail }) => [FIELDS.find(([pattern]) => pattern.test(pointer))?.[1], detail] as const);
  const known = placed.filter(([field]) => field !== undefined);
  return { errors: Object.fromEntries(known) as Partial<Record<keyof NewRunValues, string>>, complete: faults.length > 0 && known.length === faults.length };
}
