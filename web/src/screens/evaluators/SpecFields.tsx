import { useTranslation } from 'react-i18next';

import { RubricHelp } from '~/screens/evaluators/RubricHelp';
import { SchemaForm } from '~/ui/schema-form/SchemaForm';
import type { SchemaFormState } from '~/ui/schema-form/useSchemaForm';

import classes from './SpecFields.module.css';

/** Few need it, and it asks for a path into JSON. */
const RARE = 'target_path';
/** What a judge goes by, in words; much hangs on how it is written. */
const RUBRIC = 'rubric';

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
      {names.includes(RUBRIC) && <RubricHelp empty={!form.value[RUBRIC]} onUse={(rubric) => form.setValue({ ...form.value, [RUBRIC]: rubric })} />}
      {names.includes(RARE) && (
        <details open={RARE in form.value || form.told.has(`/${RARE}`) || undefined} className={classes.more}>
          <summary>{t('field.more')}</summary>
          <SchemaForm form={form} scope={scope} hide={names.filter((name) => name !== RARE)} />
        </details>
      )}
    </>
  );
}
