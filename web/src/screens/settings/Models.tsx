import { Code, Group, Paper, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { modelsQuery } from '~/screens/runs/runQueries';
import { ErrorPanel } from '~/ui/ErrorPanel';
import { Figures } from '~/ui/Figures';

const EXAMPLE = ['ALOI_MODEL=openai:gpt-4o-mini', 'ALOI_JUDGE_MODEL=openai:gpt-4o', 'OPENAI_API_KEY=…'];

/** What the operator of the server has set of models. It is read here, and changed there. */
export default function Models() {
  const { t } = useTranslation('settings');
  const models = useQuery(modelsQuery());
  return (
    <Stack gap="lg" maw={820}>
      <Text c="dimmed">{t('models.lead')}</Text>
      {models.isError && <ErrorPanel error={models.error} onRetry={() => void models.refetch()} />}
      {models.isPending && <Skeleton height={320} />}
      {models.data && (
        <>
          <Defaults models={models.data} />
          <Providers providers={models.data.providers} />
        </>
      )}
      <How />
    </Stack>
  );
}

function Defaults({ models: { model, judge } }: { models: Schemas['ModelsInfo'] }) {
  const { t } = useTranslation('settings');
  const figure = (name: string, help: string, set: Schemas['DefaultModel'] | null) => ({
    name,
    value: <span style={{ overflowWrap: 'anywhere' }}>{set?.model ?? t('models.notSet')}</span>,
    more: set?.base_url ? `${t('models.endpoint', { address: set.base_url })}. ${help}` : help,
  });
  return (
    <Paper p="lg">
      <Title order={2} mb="sm">
        {t('models.defaults')}
      </Title>
      <Figures figures={[figure(t('models.model'), t('models.modelHelp'), model), figure(t('models.judge'), t('models.judgeHelp'), judge)]} />
    </Paper>
  );
}

function Providers({ providers }: { providers: Schemas['ProviderKey'][] }) {
  const { t } = useTranslation('settings');
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} id={id} mb="sm">
        {t('models.providers')}
      </Title>
      <Paper>
        <Table.ScrollContainer minWidth={480} type="native">
          <Table aria-labelledby={id}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('models.provider')}</Table.Th>
                <Table.Th>{t('models.variable')}</Table.Th>
                <Table.Th>{t('models.key')}</Table.Th>
                <Table.Th>{t('models.use')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {providers.map(({ provider, variable, is_set, permitted }) => (
                <Table.Tr key={provider}>
                  <Table.Td fw={600}>{provider}</Table.Td>
                  <Table.Td ff="monospace" fz="sm">
                    {variable}
                  </Table.Td>
                  <Table.Td>
                    <Group gap={6} wrap="nowrap" c={is_set ? undefined : 'dimmed'}>
                      {is_set ? <IconCheck size={16} aria-hidden /> : <IconMinus size={16} aria-hidden />}
                      {t(is_set ? 'models.isSet' : 'models.isMissing')}
                    </Group>
                  </Table.Td>
                  <Table.Td>{t(permitted ? 'models.usable' : 'models.forbidden')}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
    </section>
  );
}

function How() {
  const { t } = useTranslation('settings');
  return (
    <section>
      <Title order={2} mb="xs">
        {t('models.howTitle')}
      </Title>
      <Text>{t('models.how')}</Text>
      <Code block my="sm">
        {EXAMPLE.join('\n')}
      </Code>
      <Text>{t('models.howEnd')}</Text>
    </section>
  );
}
