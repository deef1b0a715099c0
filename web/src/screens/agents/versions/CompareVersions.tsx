import { ActionIcon, Anchor, Group, Paper, SegmentedControl, Select, Skeleton, Stack, Text, Title, Tooltip } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';

import { versionAddress } from '~/screens/agents/addresses';
import { definitionText } from '~/screens/agents/definition/definitionText';
import { type Target, useThisTarget, useVersion, useVersionChoices, type Version } from '~/screens/agents/targets';
import { ChangedFields } from '~/screens/agents/versions/ChangedFields';
import { definitionChanges } from '~/screens/agents/versions/definitionChanges';
import { ActiveMark } from '~/screens/agents/VersionList';
import { EmptyState } from '~/ui/EmptyState';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { LineDiff } from '~/ui/LineDiff';
import type { JsonObject } from '~/ui/schema-form/schema';
import { DateTime } from '~/ui/Values';

import classes from './CompareVersions.module.css';

/** Two versions of a target: which fields differ, and the definitions line by line (`?a=1&b=3` in the address). */
export default function CompareVersions() {
  const { t } = useTranslation('agents');
  const target = useThisTarget().value;
  const [address, setAddress] = useSearchParams();
  const choices = useVersionChoices(target.id);
  const versions = choices.data?.items ?? [];
  const b = numberIn(address.get('b')) ?? versions[0]?.number ?? null;
  const a = numberIn(address.get('a')) ?? versions.find(({ number }) => b !== null && number < b)?.number ?? null;
  const [before, after] = [useVersion(target.id, a), useVersion(target.id, b)];
  const set = (changes: Record<string, string>) =>
    setAddress((old) => new URLSearchParams({ ...Object.fromEntries(old), a: String(a ?? ''), b: String(b ?? ''), ...changes }), { replace: true, preventScrollReset: true });
  if (choices.isError) return <ErrorPanel error={choices.error} onRetry={() => void choices.refetch()} />;
  const side = (name: 'a' | 'b', number: number | null, version: typeof before) => (
    <Side label={t(name === 'a' ? 'diff.before' : 'diff.after')} target={target} versions={versions} number={number} version={version.data} error={version.error} onChange={(value) => set({ [name]: value })} />
  );
  return (
    <Stack gap="lg">
      <div>
        <Anchor component={Link} to={`/agents/${target.id}`} size="sm">
          {t('one.back')}
        </Anchor>
        <Title order={2} mt={4}>
          {t('diff.title')}
        </Title>
      </div>
      <div className={classes.sides}>
        {side('a', a, before)}
        <Tooltip label={t('diff.swap')}>
          <ActionIcon variant="default" size="lg" aria-label={t('diff.swap')} className={classes.swap} onClick={() => set({ a: String(b ?? ''), b: String(a ?? '') })}>
            <IconArrowsExchange size={18} aria-hidden />
          </ActionIcon>
        </Tooltip>
        {side('b', b, after)}
      </div>
      {choices.data?.total === 1 && (
        <Paper>
          <EmptyState title={t('diff.onlyTitle')} text={t('diff.onlyText')} />
        </Paper>
      )}
      {before.data && after.data ? <Differences kind={target.kind} before={before.data} after={after.data} /> : (before.isFetching || after.isFetching) && <Skeleton height={320} />}
    </Stack>
  );
}

function numberIn(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

interface SideProps {
  label: string;
  target: Target;
  versions: readonly Version[];
  number: number | null;
  version: Version | undefined;
  error: Error | null;
  onChange: (number: string) => void;
}

/** Which version stands on one side, with its note and its date. */
function Side({ label, target, versions, number, version, error, onChange }: SideProps) {
  const { t } = useTranslation('agents');
  const named = versions.map(({ number: each, note }) => ({ value: String(each), label: [t('version', { number: each }), note].filter(Boolean).join(' · ') }));
  const data = number === null || named.some(({ value }) => value === String(number)) ? named : [...named, { value: String(number), label: t('version', { number }) }];
  return (
    <Paper p="md" className={classes.side}>
      <Select label={label} data={data} value={number === null ? null : String(number)} onChange={(value) => value && onChange(value)} allowDeselect={false} searchable maxDropdownHeight={280} />
      {error && <ErrorPanel error={error} />}
      {version && (
        <Group gap="4px 12px" mt="xs" fz="sm">
          <Anchor component={Link} to={versionAddress(target.id, version.number)} inherit>
            {t('one.title', { number: version.number })}
          </Anchor>
          {version.number === target.active && <ActiveMark />}
          <Text span inherit c="dimmed">
            <DateTime time={version.created_at} />
          </Text>
          <Text inherit w="100%" c={version.note ? undefined : 'dimmed'}>
            {version.note || t('versions.noNote')}
          </Text>
        </Group>
      )}
    </Paper>
  );
}

function Differences({ kind, before, after }: { kind: string; before: Version; after: Version }) {
  const { t } = useTranslation('agents');
  const [address, setAddress] = useSearchParams();
  const changes = useMemo(() => definitionChanges(before.definition as JsonObject, after.definition as JsonObject), [before, after]);
  const unified = address.get('view') === 'unified';
  const titles = [t('one.title', { number: before.number }), t('one.title', { number: after.number })] as const;
  const show = (view: string) =>
    setAddress(
      (old) => {
        const next = new URLSearchParams(old);
        next.set('view', view);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  if (changes.length === 0) return <Text>{t(before.number === after.number ? 'diff.itself' : 'diff.equal')}</Text>;
  return (
    <>
      <section>
        <Title order={3} mb="xs">
          {t('diff.count', { count: changes.length })}
        </Title>
        <ChangedFields kind={kind} changes={changes} titles={titles} />
      </section>
      <section>
        <Group justify="space-between" mb="xs">
          <Title order={3}>{t('diff.definitions')}</Title>
          <SegmentedControl
            size="xs"
            visibleFrom="sm"
            aria-label={t('diff.view')}
            value={unified ? 'unified' : 'split'}
            onChange={show}
            data={[
              { value: 'split', label: t('diff.split') },
              { value: 'unified', label: t('diff.unified') },
            ]}
          />
        </Group>
        <LineDiff before={definitionText(before.definition as JsonObject)} after={definitionText(after.definition as JsonObject)} titles={titles} unified={unified} />
      </section>
    </>
  );
}
