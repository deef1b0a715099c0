import { Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { Part } from '~/screens/executions/Part';
import { ScoreView } from '~/screens/evaluators/ScoreView';
import { ruleAddress } from '~/screens/online/addresses';
import { type OnlineResult, useExecutionResults } from '~/screens/online/onlineQueries';
import { JsonView } from '~/ui/JsonView';
import { VerdictBadge } from '~/ui/VerdictBadge';
import { DateTime } from '~/ui/Values';

/** What online rules said of an execution; nothing where none did. */
export function ExecutionScores({ executionId }: { executionId: string }) {
  const { t } = useTranslation('online');
  const { data } = useExecutionResults(executionId);
  if (!data?.length) return null;
  return (
    <Part title={t('scores.title')}>
      <Stack>
        {data.map((result) => (
          <RuleScores key={result.rule_id} result={result} />
        ))}
      </Stack>
    </Part>
  );
}

function RuleScores({ result }: { result: OnlineResult }) {
  const { t } = useTranslation('online');
  const { rule_id, rule_name, execution, verdict, scores, failure, graded_at } = result;
  return (
    <Paper p="md">
      <Group gap="sm" mb="sm">
        <VerdictBadge verdict={verdict} />
        <Anchor component={Link} to={ruleAddress(execution.target_id, rule_id)} fw={600}>
          {rule_name}
        </Anchor>
        <Text size="sm" c="dimmed">
          <DateTime time={graded_at} />
        </Text>
      </Group>
      {failure && scores.length === 0 && <JsonView value={failure.message} label={t('scores.failure')} />}
      <Stack>
        {scores.map((score) => (
          <div key={score.evaluator}>
            {scores.length > 1 && (
              <Text size="sm" fw={600} mb={4}>
                {score.evaluator}
              </Text>
            )}
            <ScoreView score={score} />
          </div>
        ))}
      </Stack>
    </Paper>
  );
}
