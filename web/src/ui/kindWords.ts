import type { i18n as I18n } from 'i18next';
import { useTranslation } from 'react-i18next';

import { sentence } from '~/ui/schema-form/schema';

export type Family = 'evaluator' | 'target' | 'tool';

export interface KindWords {
  /** A short name, for a list. */
  name: string;
  /** One sentence on what it does. */
  title: string;
  /** All there is to say; words between backticks are code. */
  doc: string;
}

/**
 * The words of a kind in the reader's language: `words('evaluator', info)`. The server speaks English; other languages
 * have the file `kinds.json` of their own, whose texts are taken as they are (`{{input}}` stays `{{input}}`).
 */
export function useKindWords(): (family: Family, info: { kind: string; title: string; doc: string }) => KindWords {
  const { i18n } = useTranslation();
  return (family, { kind, title, doc }) => {
    const words = (what: string) => kindWord(i18n, `${family}.${kind}.${what}`);
    const own = words('title');
    return {
      name: words('name') ?? sentence(kind),
      title: own ?? title,
      doc: own === null ? doc : [own, words('doc')].filter(Boolean).join('\n\n'),
    };
  };
}

/** One text of `kinds.json`; null where the language has none. */
export function kindWord(i18n: I18n, path: string): string | null {
  const text: unknown = i18n.getResource(i18n.language, 'kinds', path);
  return typeof text === 'string' ? text : null;
}
