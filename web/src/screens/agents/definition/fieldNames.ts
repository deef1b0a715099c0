import { useTranslation } from 'react-i18next';

import { kindWord } from '~/ui/kindWords';
import { sentence } from '~/ui/schema-form/schema';

/** The names of fields in the reader's language, as their form has them; of parts too: `limits.steps`. */
export function useFieldNames(kind: string): (name: string) => string {
  const { t, i18n } = useTranslation('agents');
  const own: Record<string, string> = kind === 'agent' ? { base_url: t('agent.baseUrl'), api_key_env: t('agent.keyVariable'), mcp_servers: t('agent.mcp') } : {};
  return (name) => {
    const last = name.split('.').at(-1) ?? name;
    return own[name] ?? kindWord(i18n, `target.${kind}.fields.${name}.label`) ?? kindWord(i18n, `any.${last}.label`) ?? sentence(last);
  };
}
