import { useTranslation } from 'react-i18next';

import type { Dataset } from '~/screens/datasets/datasets';
import { useTarget } from '~/screens/datasets/TargetSelect';
import { Caution } from '~/ui/Caution';
import type { Json } from '~/ui/schema-form/schema';
import { isObject } from '~/ui/schema-form/values';
import { readTyped, type Typed } from '~/ui/typedValue';

interface Props {
  dataset: Dataset;
  expected: Typed;
}

/** Tells when an expected object has fields that the answers of the dataset's target never have. */
export function OutputKeys({ dataset, expected }: Props) {
  const { t } = useTranslation('datasets');
  const target = useTarget(dataset.target_id);
  const known = outputKeys(target.data?.active_version?.definition as Json | undefined);
  const reading = readTyped(expected);
  if (!known || reading.kind !== 'json' || !isObject(reading.value)) return null;
  const unknown = Object.keys(reading.value).filter((key) => !known.includes(key));
  if (unknown.length === 0) return null;
  return <Caution title={t('case.unknownKeys', { count: unknown.length })}>{t('case.unknownKeysText', { keys: unknown.join(', '), known: known.join(', ') })}</Caution>;
}

/** The fields of a target's answers, where its definition says them. */
function outputKeys(definition: Json | undefined): string[] | null {
  const schema = isObject(definition) ? definition.output_schema : undefined;
  const properties = isObject(schema) ? schema.properties : undefined;
  return isObject(properties) ? Object.keys(properties) : null;
}
