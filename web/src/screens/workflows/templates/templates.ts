import answer from './answer.yaml?raw';
import approval from './approval.yaml?raw';
import blank from './blank.yaml?raw';
import list from './list.yaml?raw';

/** Small workflows to begin with; their names are messages. */
export const TEMPLATES = { answer, approval, list, blank } as const;
export type TemplateName = keyof typeof TEMPLATES;
export const TEMPLATE_NAMES = Object.keys(TEMPLATES) as TemplateName[];

/** The model that stands in the templates. */
const MODEL = /^( *)model: openai:gpt-4o-mini$/gm;

export interface DefaultModel {
  model: string;
  base_url: string | null;
}

/** A template on the model that the server takes by default, so that it can be tried at once. */
export function templateText(name: TemplateName, model: DefaultModel | null): string {
  if (!model) return TEMPLATES[name];
  return TEMPLATES[name].replace(MODEL, (_, indent: string) => [`${indent}model: ${plain(model.model)}`, ...(model.base_url ? [`${indent}base_url: ${plain(model.base_url)}`] : [])].join('\n'));
}

/** A text as YAML has it: in quotes, unless it can mean nothing else. */
function plain(text: string): string {
  return /^[A-Za-z][\w./:-]*$/.test(text) && !/:$/.test(text) ? text : JSON.stringify(text);
}
