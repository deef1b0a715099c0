import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { useFormat } from '~/ui/format';
import { JsonView } from '~/ui/JsonView';
import type { Graded } from '~/ui/trace/graded';
import { Part } from '~/ui/trace/Part';

const MOST_HEIGHT = 260;

/** What an evaluator or a sample of its judge found and why; of a case and an execution, what went in and came out. */
export function GradedDetail({ graded }: { graded: Graded }) {
  const { t } = useTranslation('trace');
  const format = useFormat();
  const { kind, value, threshold, explanation, input, output, carriedOver, secondsLater } = graded;
  const figures = [
    kind,
    value === null ? null : t('graded.value', { value: format.number(value) }),
    threshold === null ? null : t('graded.threshold', { value: format.number(threshold) }),
    carriedOver ? t('graded.carriedOver') : null,
    secondsLater === null ? null : t('graded.later', { time: format.duration(secondsLater) }),
  ].filter(Boolean);
  return (
    <>
      {figures.length > 0 && (
        <Text size="sm" c="dimmed">
          {figures.join(' · ')}
        </Text>
      )}
      {explanation !== null && (
        <Part title={t('graded.explanation')}>
          <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {explanation}
          </Text>
        </Part>
      )}
      {input !== undefined && (
        <Part title={t('graded.input')}>
          <JsonView value={input} label={t('graded.input')} maxHeight={MOST_HEIGHT} />
        </Part>
      )}
      {output !== undefined && output !== null && (
        <Part title={t('graded.output')}>
          <JsonView value={output} label={t('graded.output')} maxHeight={MOST_HEIGHT} />
        </Part>
      )}
    </>
  );
}
