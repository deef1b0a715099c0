import { Button, Group, Paper, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api, type Schemas } from '~/api/client';
import { groupOf, type Kind } from '~/screens/evaluators/kinds';
import { ScoreView } from '~/screens/evaluators/ScoreView';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { RoleGate } from '~/ui/RoleGate';
import type { Json, JsonObject, JsonSchema } from '~/ui/schema-form/schema';
import { SchemaForm } from '~/ui/schema-form/SchemaForm';
import { useSchemaForm } from '~/ui/schema-form/useSchemaForm';
import { NOTHING_TYPED, readTyped, type Typed } from '~/ui/typedValue';
import { TypedValueInput } from '~/ui/TypedValueInput';

interface Props {
  kind: Kind;
  /** The evaluator as it is written now; null while something is wrong with it, which the form then shows. */
  spec: () => JsonObject | null;
}

type GradeRequest = Schemas['GradeRequest'];

const WITH_PATH = ['trajectory_judge', 'simulation_judge'];

/** Grades one answer by an evaluator, without storing anything. */
export function TryIt({ kind, spec }: Props) {
  const { t } = useTranslation('evaluators');
  const [output, setOutput] = useState<Typed>(NOTHING_TYPED);
  const [given, setGiven] = useState<CaseText>({ prompt: '', behavior: '', assertions: '', expected: NOTHING_TYPED });
  const group = groupOf(kind.kind);
  const withTools = group === 'tools' || group === 'code' || WITH_PATH.includes(kind.kind);
  const measured = useSchemaForm(useMeasuredSchema(withTools, kind.kind));
  const grade = useMutation({ mutationFn: (body: GradeRequest) => answer(api.POST('/api/eval/grade', { body })) });
  const run = () => {
    const evaluator = spec();
    if (!evaluator || !measured.validate()) return;
    grade.mutate({ evaluator, output: valueOf(output, ''), ...measuredOf(measured.value, withTools), ...caseOf(given) } as GradeRequest);
  };
  return (
    <Paper p="md" component="section" aria-label={t('try.title')}>
      <Stack>
        <div>
          <Title order={2}>{t('try.title')}</Title>
          <Text size="sm" c="dimmed">
            {t(group === 'judges' ? 'try.judgeText' : 'try.text')}
          </Text>
        </div>
        <TypedValueInput label={t('try.output')} minRows={3} value={output} onChange={setOutput} />
        {group !== 'limits' && group !== 'tools' && <CaseInputs kind={kind.kind} value={given} onChange={setGiven} />}
        <SchemaForm form={measured} scope="try" />
        <Group>
          <RoleGate role="editor">
            {(gate) => (
              <Button variant="default" loading={grade.isPending} onClick={run} {...gate}>
                {t('try.run')}
              </Button>
            )}
          </RoleGate>
        </Group>
        {grade.error && <ErrorPanel error={grade.error} />}
        {grade.data && !grade.isPending && <ScoreView score={grade.data} />}
      </Stack>
    </Paper>
  );
}

interface CaseText {
  prompt: string;
  behavior: string;
  /** One in each line. */
  assertions: string;
  expected: Typed;
}

const READS: Record<string, (keyof CaseText)[]> = {
  exact_match: ['expected'],
  contains: ['expected'],
  json_similarity: ['expected'],
  regex: [],
  json_path: [],
  json_schema: [],
  json_judge: ['prompt', 'expected'],
  output_judge: ['prompt', 'expected'],
  llm_judge: ['prompt'],
  behavior_judge: ['prompt', 'behavior', 'assertions'],
  trajectory_judge: ['prompt', 'behavior'],
  simulation_judge: ['prompt', 'behavior'],
};
const ALL: (keyof CaseText)[] = ['prompt', 'expected', 'behavior', 'assertions'];

/** What of a case the kind looks at; all of it for a kind that is not known here. */
function CaseInputs({ kind, value, onChange }: { kind: string; value: CaseText; onChange: (value: CaseText) => void }) {
  const { t } = useTranslation('evaluators');
  const reads = READS[kind] ?? ALL;
  return reads.map((name) =>
    name === 'expected' ? (
      <TypedValueInput key={name} label={t('try.expected')} value={value.expected} onChange={(expected) => onChange({ ...value, expected })} />
    ) : (
      <Textarea key={name} label={t(`try.${name}`)} autosize minRows={name === 'prompt' ? 1 : 2} value={value[name]} onChange={({ currentTarget }) => onChange({ ...value, [name]: currentTarget.value })} />
    ),
  );
}

/** The form of what was measured: tool calls, seconds, tokens, cost; as far as the kind looks at them. */
function useMeasuredSchema(withTools: boolean, kind: string): JsonSchema {
  const { t } = useTranslation('evaluators');
  return useMemo(() => {
    const call: JsonSchema = {
      type: 'object',
      title: t('try.call'),
      properties: { tool: { type: 'string', title: t('try.tool'), minLength: 1 }, args: { type: 'object', title: t('try.args') }, output: { title: t('try.result') } },
      required: ['tool'],
    };
    const properties: Record<string, JsonSchema> = {
      ...(withTools && { tool_calls: { type: 'array', title: t('try.calls'), description: t('try.callsHelp'), items: call } }),
      ...(kind === 'latency' && { latency: { type: 'number', title: t('try.seconds'), minimum: 0 } }),
      ...(kind === 'cost_limit' && { cost: { type: 'number', title: t('try.cost'), minimum: 0 } }),
      ...(kind === 'token_limit' && { input_tokens: { type: 'integer', title: t('try.inputTokens'), minimum: 0 }, output_tokens: { type: 'integer', title: t('try.outputTokens'), minimum: 0 } }),
    };
    return { type: 'object', properties, required: Object.keys(properties).filter((name) => name !== 'tool_calls') };
  }, [t, withTools, kind]);
}

function measuredOf({ tool_calls, latency, ...usage }: JsonObject, withTools: boolean): JsonObject {
  return {
    ...(withTools && { tool_calls: tool_calls ?? [] }),
    ...(latency !== undefined && { latency }),
    ...(Object.keys(usage).length > 0 && { usage: { calls: 1, ...usage } }),
  };
}

function caseOf({ prompt, behavior, assertions, expected }: CaseText): JsonObject {
  const lines = assertions.split('\n').filter((line) => line.trim());
  return { case: { input: prompt, expected_behavior: behavior || null, assertions: lines, expected_output: valueOf(expected, null) } };
}

/** What was typed, or what stands for nothing. */
function valueOf(typed: Typed, nothing: Json): Json {
  const reading = readTyped(typed);
  return 'value' in reading ? reading.value : nothing;
}
