import { Anchor, Box, Button, Group, Skeleton, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowLeft, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';

import type { Tagged } from '~/api/tagged';
import { EvaluationViews } from '~/screens/agents/EvaluationViews';
import { useThisTarget } from '~/screens/agents/targets';
import { rulesAddress } from '~/screens/online/addresses';
import { type OnlineRule as Rule, useDeleteRule, useOnlineRule } from '~/screens/online/onlineQueries';
import { OnlineResults } from '~/screens/online/OnlineResults';
import { RatePart } from '~/screens/online/RatePart';
import { RuleDialog } from '~/screens/online/RuleDialog';
import { RuleFacts } from '~/screens/online/RuleFacts';
import { RuleSwitch } from '~/screens/online/RuleSwitch';
import { ConfirmDialog } from '~/ui/ConfirmDialog';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { useListParams } from '~/ui/listParams';
import { RoleGate } from '~/ui/RoleGate';

/** One rule: what it grades, its rate over time, and each execution that it graded. */
export default function OnlineRule() {
  const { t } = useTranslation('online');
  const { id: targetId } = useThisTarget().value;
  const { ruleId = '' } = useParams();
  const rule = useOnlineRule(targetId, ruleId);
  return (
    <>
      <EvaluationViews targetId={targetId} />
      <Anchor component={Link} to={rulesAddress(targetId)} size="sm">
        <Group gap={4}>
          <IconArrowLeft size={16} aria-hidden />
          {t('list.title')}
        </Group>
      </Anchor>
      {rule.isError && !rule.data && (
        <Box mt="md">
          <ErrorPanel error={rule.error} onRetry={() => void rule.refetch()} />
        </Box>
      )}
      {rule.isPending && <Skeleton height={420} mt="md" />}
      {rule.data && <Page tagged={rule.data} />}
    </>
  );
}

function Page({ tagged }: { tagged: Tagged<Rule> }) {
  const { t } = useTranslation(['online', 'common']);
  const rule = tagged.value;
  const params = useListParams();
  const [editing, setEditing] = useState<Tagged<Rule> | null>(null);
  const saved = ({ name }: Rule) => {
    setEditing(null);
    notifications.show({ message: t('form.saved', { name }) });
  };
  return (
    <>
      <Group justify="space-between" mt="xs" mb="md">
        <Title order={2} style={{ overflowWrap: 'anywhere' }}>
          {rule.name}
        </Title>
        <Group gap="sm">
          <RuleSwitch rule={rule} />
          <RoleGate role="editor">
            {(gate) => (
              <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setEditing(tagged)} {...gate}>
                {t('common:edit')}
              </Button>
            )}
          </RoleGate>
          <DeleteButton rule={rule} />
        </Group>
      </Group>
      <RuleFacts rule={rule} />
      <RatePart rule={rule} params={params} />
      <Title order={3} mb="sm">
        {t('results.title')}
      </Title>
      <OnlineResults rule={rule} params={params} />
      {editing && <RuleDialog targetId={rule.target_id} editing={editing} onClose={() => setEditing(null)} onSaved={saved} />}
    </>
  );
}

function DeleteButton({ rule }: { rule: Rule }) {
  const { t } = useTranslation(['online', 'common']);
  const navigate = useNavigate();
  const [asked, setAsked] = useState(false);
  const gone = useDeleteRule(rule, () => {
    notifications.show({ message: t('delete.done', { name: rule.name }) });
    void navigate(rulesAddress(rule.target_id));
  });
  return (
    <>
      <RoleGate role="editor">
        {(gate) => (
          <Button variant="default" leftSection={<IconTrash size={16} aria-hidden />} onClick={() => setAsked(true)} {...gate}>
            {t('common:delete')}
          </Button>
        )}
      </RoleGate>
      <ConfirmDialog opened={asked} onClose={() => setAsked(false)} onConfirm={() => gone.mutate()} title={t('delete.title', { name: rule.name })} text={t('delete.text')} loading={gone.isPending} error={gone.error} />
    </>
  );
}
