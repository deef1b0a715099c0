import { Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import { useFormat } from '~/ui/format';
import { JsonView } from '~/ui/JsonView';
import { GradedDetail } from '~/ui/trace/GradedDetail';
import { Messages } from '~/ui/trace/Messages';
import { Part } from '~/ui/trace/Part';
import type { SpanFacts } from '~/ui/trace/spanFacts';
import type { Span } from '~/ui/trace/tree';

import classes from './TraceView.module.css';

const MOST_HEIGHT = 260;

/** What one span says: its error, the tool call or the messages, tokens and cost, and whatever else came with it. */
export function SpanDetail({ span, facts }: { span: Span; facts: SpanFacts }) {
  const { t } = useTranslation('trace');
  const { call, step, provenance, input, output, rest } = facts;
  return (
    <Stack gap="sm">
      {span.error !== null && (
        <Part title={t('error')}>
          <div className={classes.errorText}>
            <JsonView value={span.error} label={t('error')} maxHeight={MOST_HEIGHT} />
          </div>
        </Part>
      )}
      <Figures facts={facts} />
      {facts.graded && <GradedDetail graded={facts.graded} />}
      {call && (
        <>
          <Part title={t('arguments')}>
            <JsonView value={call.args} label={t('arguments')} maxHeight={MOST_HEIGHT} />
          </Part>
          {call.result !== undefined && (
            <Part title={provenance ? `${t('result')} (${t(`provenance.${provenance}`)})` : t('result')}>
              <JsonView value={call.result} label={t('result')} maxHeight={MOST_HEIGHT} />
            </Part>
          )}
        </>
      )}
      {step?.input !== undefined && (
        <Part title={t('stepInput')}>
          <JsonView value={step.input} label={t('stepInput')} maxHeight={MOST_HEIGHT} />
        </Part>
      )}
      {step?.output !== undefined && (
        <Part title={t('stepOutput')}>
          <JsonView value={step.output} label={t('stepOutput')} maxHeight={MOST_HEIGHT} />
        </Part>
      )}
      {input.length > 0 && (
        <Part title={t('input')}>
          <Messages messages={input} />
        </Part>
      )}
      {output.length > 0 && (
        <Part title={t('output')}>
          <Messages messages={output} />
        </Part>
      )}
      {Object.keys(rest).length > 0 && (
        <Part title={t('attributes')}>
          <JsonView value={rest} label={t('attributes')} maxHeight={MOST_HEIGHT} />
        </Part>
      )}
    </Stack>
  );
}

/** What a turn of a model used, or the judge of an evaluator. */
function Figures({ facts: { model, inputTokens, outputTokens, cost, operation } }: { facts: SpanFacts }) {
  const { t } = useTranslation(['trace', 'ui']);
  const format = useFormat();
  const isKnown = inputTokens !== null || outputTokens !== null || cost !== null;
  if (operation !== 'model' && !isKnown) return null;
  return (
    <Text size="sm" c="dimmed">
      {[
        model,
        `${t('tokens')}: ${t('ui:tokens', { input: format.number(inputTokens), output: format.number(outputTokens) })}`,
        `${t('cost')}: ${format.money(cost)}`,
      ]
        .filter(Boolean)
        .join(' · ')}
    </Text>
  );
}
