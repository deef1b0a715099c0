import { useTranslation } from 'react-i18next';

import { Caution } from '~/ui/Caution';
import { type Misfit, misfitsOf } from '~/ui/schema-form/misfit';
import type { JsonSchema } from '~/ui/schema-form/schema';
import { readTyped, type Typed } from '~/ui/typedValue';

const SHOWN = 5;

interface Props {
  title: string;
  /** What the target's definition says of such a value; null where it says nothing. */
  schema: JsonSchema | null;
  value: Typed;
}

/** Tells where a value certainly is not what the dataset's target takes or answers. It may be saved all the same. */
export function SchemaFit({ title, schema, value }: Props) {
  const { t } = useTranslation('executions');
  const read = readTyped(value);
  if (!schema || (read.kind !== 'json' && read.kind !== 'text')) return null;
  const misfits = misfitsOf(schema, read.value);
  if (misfits.length === 0) return null;
  const words = ({ path, what }: Misfit) => (path === '' ? t('fit.whole') : t(`fit.${what}`, { path }));
  return <Caution title={title}>{misfits.slice(0, SHOWN).map(words).join(' ')}</Caution>;
}
