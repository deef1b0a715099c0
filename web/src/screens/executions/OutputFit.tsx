import { useTranslation } from 'react-i18next';

import { useVersion } from '~/screens/agents/targets';
import type { Execution } from '~/screens/executions/executions';
import { Caution } from '~/ui/Caution';
import { type Misfit, misfitsOf } from '~/ui/schema-form/misfit';
import type { JsonSchema } from '~/ui/schema-form/schema';
import { readTyped, type Typed } from '~/ui/typedValue';

const SHOWN = 5;

/** Tells when an expected output cannot be what the version promises to answer, so that no answer would ever equal it. */
export function OutputFit({ execution, expected }: { execution: Execution; expected: Typed }) {
  const { t } = useTranslation('executions');
  const version = useVersion(execution.target_id, execution.version);
  const schema = version.data?.definition.output_schema as JsonSchema | null | undefined;
  const read = readTyped(expected);
  if (!schema || (read.kind !== 'json' && read.kind !== 'text')) return null;
  const misfits = misfitsOf(schema, read.value);
  if (misfits.length === 0) return null;
  const words = ({ path, what }: Misfit) => (path === '' ? t('fit.whole') : t(`fit.${what}`, { path }));
  return (
    <Caution title={t('fit.title')}>
      {misfits.slice(0, SHOWN).map(words).join(' ')}
    </Caution>
  );
}
