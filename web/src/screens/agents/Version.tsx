import { Anchor, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconGitCompare } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';

import { ActivateDialog } from '~/screens/agents/ActivateDialog';
import { compareAddress, newVersionAddress } from '~/screens/agents/addresses';
import { definitionText } from '~/screens/agents/definition/definitionText';
import { DefinitionView } from '~/screens/agents/definition/DefinitionView';
import { useThisTarget, useVersion, useVersionChoices, type Version as VersionValue } from '~/screens/agents/targets';
import { ActiveMark } from '~/screens/agents/VersionList';
import { Overrides } from '~/screens/gate/Overrides';
import { CopyButton } from '~/ui/CopyButton';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { RoleGate } from '~/ui/RoleGate';
import type { JsonObject } from '~/ui/schema-form/schema';
import { TextDiff } from '~/ui/TextDiff';
import { DateTime } from '~/ui/Values';

import classes from './Overview.module.css';

/** One version: its definition, and what is different in another one. */
export default function Version() {
  const { t } = useTranslation('agents');
  const target = useThisTarget().value;
  const { number: named = '' } = useParams();
  const number = /^[1-9]\d{0,8}$/.test(named) ? Number(named) : null;
  const version = useVersion(target.id, number);
  const [asked, setAsked] = useState(false);
  const active = target.active === number;
  if (version.isError) return <ErrorPanel error={version.error} onRetry={() => void version.refetch()} />;
  if (number === null) return <Text>{t('one.missing', { number: named })}</Text>;
  return (
    <Stack gap="lg">
      <div>
        <Anchor component={Link} to={`/agents/${target.id}`} size="sm">
          {t('one.back')}
        </Anchor>
        <Group justify="space-between" mt={4}>
          <Group gap="sm">
            <Title order={2}>{t('one.title', { number })}</Title>
            {active && <ActiveMark />}
          </Group>
          <Group gap="xs">
            <RoleGate role="editor">
              {(gate) => (
                <Button component={Link} to={newVersionAddress(target.id, number)} variant="default" {...gate}>
                  {t('versions.editFrom')}
                </Button>
              )}
            </RoleGate>
            {!active && (
              <RoleGate role="editor">
                {(gate) => (
                  <Button onClick={() => setAsked(true)} {...gate}>
                    {t('versions.activate')}
                  </Button>
                )}
              </RoleGate>
            )}
          </Group>
        </Group>
        {version.data && <About version={version.data} />}
      </div>
      <Overrides targetId={target.id} number={number} />
      {version.data ? (
        <>
          <Paper p="lg">
            <DefinitionView kind={version.data.kind} definition={version.data.definition} />
          </Paper>
          <Difference version={version.data} />
        </>
      ) : (
        <Skeleton height={240} />
      )}
      <ActivateDialog target={target} number={asked ? number : null} onClose={() => setAsked(false)} />
    </Stack>
  );
}

function About({ version }: { version: VersionValue }) {
  const { t } = useTranslation('agents');
  return (
    <Stack gap={2} mt={4}>
      {version.note && <Text>{version.note}</Text>}
      <Group gap="4px 16px" fz="sm" c="dimmed">
        <DateTime time={version.created_at} />
        <Group gap={4} wrap="nowrap">
          <span>{t('one.hash')}</span>
          <span className={classes.hash}>{version.content_hash.slice(0, 16)}</span>
          <CopyButton value={version.content_hash} />
        </Group>
      </Group>
    </Stack>
  );
}

/** This version beside the one before it; any other two can be chosen from there. */
function Difference({ version }: { version: VersionValue }) {
  const { t } = useTranslation('agents');
  const choices = useVersionChoices(version.target_id);
  const others = (choices.data?.items ?? []).filter(({ number }) => number !== version.number);
  const other = others.find(({ number }) => number < version.number) ?? others[0];
  if (!other) return null;
  return (
    <section>
      <Group justify="space-between" mb="sm">
        <Title order={2}>{t('one.difference', { number: other.number })}</Title>
        <Button component={Link} to={compareAddress(version.target_id, other.number, version.number)} variant="default" size="xs" leftSection={<IconGitCompare size={16} aria-hidden />}>
          {t('one.compare')}
        </Button>
      </Group>
      <TextDiff expected={definitionText(other.definition as JsonObject)} actual={definitionText(version.definition as JsonObject)} titles={[t('one.title', { number: other.number }), t('one.title', { number: version.number })]} />
    </section>
  );
}
