import type { ApiError } from '~/api/errors';
import type { Binding } from '~/screens/evaluators/specs';
import type { OnlineRule, OnlineRuleGiven } from '~/screens/online/onlineQueries';

/** A rule as its form holds it; texts and numbers as they are typed. */
export interface RuleDraft {
  name: string;
  enabled: boolean;
  evaluators: Binding[];
  /** Percents. */
  share: number | string;
  answeredOnly: boolean;
  text: string;
  version: number | string;
  minSeconds: number | string;
  samples: number | string;
  mostPerDay: number | string;
  costPerDay: number | string;
  drafts: string | null;
}

export type Field = 'name' | 'evaluators' | 'share' | 'text' | 'version' | 'minSeconds' | 'samples' | 'mostPerDay' | 'costPerDay' | 'drafts';
export type Faults = Partial<Record<Field, string>>;

/** Where the server says that a field is wrong; of what stands below it, too. */
const PLACES: Record<string, Field> = {
  '/name': 'name',
  '/evaluators': 'evaluators',
  '/share': 'share',
  '/filters/text': 'text',
  '/filters/version': 'version',
  '/filters/min_seconds': 'minSeconds',
  '/judge_samples': 'samples',
  '/most_per_day': 'mostPerDay',
  '/cost_per_day': 'costPerDay',
  '/drafts_dataset_id': 'drafts',
};
const DEFAULT_PER_DAY = 1000;

export function newDraft(): RuleDraft {
  return { name: '', enabled: true, evaluators: [], share: 100, answeredOnly: false, text: '', version: '', minSeconds: '', samples: 1, mostPerDay: DEFAULT_PER_DAY, costPerDay: '', drafts: null };
}

export function draftOf(rule: OnlineRule): RuleDraft {
  const { filters } = rule;
  return {
    name: rule.name,
    enabled: rule.enabled,
    evaluators: [...rule.evaluators],
    share: percents(rule.share),
    answeredOnly: filters.status === 'ok',
    text: filters.text ?? '',
    version: filters.version ?? '',
    minSeconds: filters.min_seconds ?? '',
    samples: rule.judge_samples,
    mostPerDay: rule.most_per_day,
    costPerDay: rule.cost_per_day ?? '',
    drafts: rule.drafts_dataset_id,
  };
}

/** What the form lacks before it can be sent. */
export function missingIn(draft: RuleDraft): Partial<Record<Field, 'name' | 'evaluators' | 'share' | 'mostPerDay'>> {
  return {
    ...(draft.name.trim() === '' && { name: 'name' as const }),
    ...(draft.evaluators.length === 0 && { evaluators: 'evaluators' as const }),
    ...(!(Number(draft.share) > 0 && Number(draft.share) <= 100) && { share: 'share' as const }),
    ...(Number(draft.mostPerDay) < 1 && { mostPerDay: 'mostPerDay' as const }),
  };
}

/** The rule that a form says. */
export function givenOf(draft: RuleDraft): OnlineRuleGiven {
  return {
    name: draft.name.trim(),
    enabled: draft.enabled,
    share: Number(draft.share) / 100,
    filters: { status: draft.answeredOnly ? 'ok' : 'any', text: draft.text.trim() || null, version: numberOrNull(draft.version), min_seconds: numberOrNull(draft.minSeconds) },
    evaluators: draft.evaluators.map(({ name, weight, spec, evaluator_id }) => (evaluator_id ? { evaluator_id, weight } : { name, weight, spec })) as OnlineRuleGiven['evaluators'],
    judge_samples: Number(draft.samples),
    most_per_day: Number(draft.mostPerDay),
    cost_per_day: numberOrNull(draft.costPerDay),
    drafts_dataset_id: draft.drafts,
  };
}

/** What the server says of the fields, and whether there is a field for all of it. */
export function placed(errors: ApiError['errors'], evaluators: readonly Binding[]): { faults: Faults; complete: boolean } {
  const faults: Faults = {};
  let complete = errors.length > 0;
  for (const { pointer, detail } of errors) {
    const place = Object.keys(PLACES).find((known) => pointer === known || pointer.startsWith(`${known}/`));
    const field = place && PLACES[place];
    if (!field) complete = false;
    else faults[field] = field === 'evaluators' ? [nameIn(pointer, evaluators), detail].filter(Boolean).join(': ') : detail;
  }
  return { faults, complete };
}

/** Whose fault it is, of several evaluators. */
function nameIn(pointer: string, evaluators: readonly Binding[]): string {
  return evaluators[Number(pointer.split('/')[2])]?.name ?? '';
}

/** A share in percents, without the noise of binary fractions. */
export function percents(share: number): number {
  return Number((share * 100).toPrecision(8));
}

function numberOrNull(typed: number | string): number | null {
  return typed === '' ? null : Number(typed);
}
