import { useTranslation } from 'react-i18next';

import { SchemaForm } from '~/ui/schema-form/SchemaForm';
import type { SchemaFormState } from '~/ui/schema-form/useSchemaForm';

import classes from './SpecFields.module.css';

/** Few need it, and it asks for a path into JSON. */
const RARE = 'target_path';

interface Props {
  form: SchemaFormState;
  /** The kind whose fields these are. */
  kind: string;
}

/** The fields of an evaluator's kind; what few need stands folded below. */
export function SpecFields({ form, kind }: Props) {
  const { t } = useTranslation('evaluators');
  const names = form.root.shape.kind === 'object' ? form.root.shape.fields().map(({ name }) => name) : [];
  const scope = `evaluator.${kind}`;
  return (
    <>
      <SchemaForm form={form} scope={scope} hide={[RARE]} />
      {names.includes(RARE) && (
        <details open={RARE in form.value || form.told.has(`/${RARE}`) || undefined} className={classes.more}>
          <summary>{t('field.more')}</summary>
          <SchemaForm form={form} scope={scope} hide={names.filter((name) => name !== RARE)} />
        </details>
      )}
    </>
  );
}
