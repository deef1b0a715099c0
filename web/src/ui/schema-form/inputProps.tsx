import { useTranslation } from 'react-i18next';

import { Help } from '~/ui/Help';
import { type Named, useFault, useForm, useWords } from '~/ui/schema-form/context';

/** What every input shows: its name, help, fault, whether it is needed; as a hint, what counts while it is empty. */
export function useInputProps(props: Named) {
  const { t } = useTranslation('ui');
  const { disabled } = useForm();
  const { label, help } = useWords(props);
  const error = useFault(props.path);
  const { fallback, required } = props.field;
  const shown = fallback === undefined || fallback === null || fallback === '' || typeof fallback === 'object' ? undefined : String(fallback);
  return {
    label,
    description: help ? <Help text={help} /> : undefined,
    error: error ?? undefined,
    disabled,
    // An entry of a list has no need to say that it is needed.
    withAsterisk: required && props.label === undefined,
    'aria-required': required || undefined,
    placeholder: shown === undefined ? undefined : t('form.default', { value: shown }),
  };
}
