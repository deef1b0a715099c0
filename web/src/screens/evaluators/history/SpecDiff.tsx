import { Group, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { definitionText } from '~/screens/agents/definition/definitionText';
import { ChangedFields } from '~/screens/agents/versions/ChangedFields';
import { definitionChanges } from '~/screens/agents/versions/definitionChanges';
import { type EvaluatorVersion, useEvaluatorVersion } from '~/screens/evaluators/history/versions';
import { kindOf } from '~/screens/evaluators/specs';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { kindWord } from '~/ui/kindWords';
import { LineDiff } from '~/ui/LineDiff';
import { type JsonObject, sentence } from '~/ui/schema-form/schema';

interface Props {
  id: string;
  a: number;
  b: number;
  /** The number of the newest version. */
  newest: number;
  onChange: (sides: { a: number; b: number }) => void;
}

/** What differs between two versions of an evaluator: field by field, and line by line. */
export function SpecDiff({ id, a, b, newest, onChange }: Props) {
  const { t } = useTranslation('evaluators');
  const [before, after] = [useEvaluatorVersion(id, a), useEvaluatorVersion(id, b)];
  const error = before.error ?? after.error;
  const numbers = Array.from({ length: newest }, (_, index) => String(newest - index));
  const data = numbers.map((value) => ({ value, label: t('version', { number: Number(value) }) }));
  const side = (name: 'a' | 'b', value: number) => (
    <Select
      label={t(name === 'a' ? 'history.before' : 'history.after')}
      data={data}
      value={String(value)}
      onChange={(chosen) => chosen && onChange({ a, b, [name]: Number(chosen) })}
      allowDeselect={false}
      searchable={newest > 10}
      maxDropdownHeight={280}
      w={{ base: '100%', xs: 200 }}
    />
  );
  return (
    <Stack component="section" aria-label={t('history.changes')}>
      <Title order={2}>{t('history.changes')}</Title>
      <Group>
        {side('a', a)}
        {side('b', b)}
      </Group>
      {error && <ErrorPanel error={error} onRetry={() => void (before.error ? before : after).refetch()} />}
      {before.data && after.data ? <Differences before={before.data} after={after.data} /> : !error && <Skeleton height={240} />}
    </Stack>
  );
}

function Differences({ before, after }: { before: EvaluatorVersion; after: EvaluatorVersion }) {
  const { t } = useTranslation('evaluators');
  const labelOf = useSpecNames([kindOf(after.spec), kindOf(before.spec)]);
  const [old, now] = [before.spec as JsonObject, after.spec as JsonObject];
  const changes = definitionChanges(old, now);
  const titles = [t('version', { number: before.number }), t('version', { number: after.number })] as const;
  if (changes.length === 0) return <Text>{t('history.same')}</Text>;
  return (
    <>
      <ChangedFields kind="" changes={changes} titles={titles} labelOf={labelOf} />
      <LineDiff before={definitionText(old)} after={definitionText(now)} titles={titles} />
    </>
  );
}

/** The names of an evaluator's fields in the reader's language, as its form has them. */
function useSpecNames(kinds: readonly string[]): (name: string) => string {
  const { t, i18n } = useTranslation('evaluators');
  return (name) => {
    const last = name.split('.').at(-1) ?? name;
    if (name === 'kind') return t('column.kind');
    const own = kinds.map((kind) => kindWord(i18n, `evaluator.${kind}.fields.${name}.label`)).find((word) => word !== null);
    return own ?? kindWord(i18n, `any.${last}.label`) ?? sentence(last);
  };
}
