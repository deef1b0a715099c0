import { Group, Stack, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Schemas } from '~/api/client';
import { inputText, titleOf } from '~/screens/datasets/cases/caseDraft';
import { Caution } from '~/ui/Caution';
import { useFormat } from '~/ui/format';

import classes from './ImportPreview.module.css';

const COUNTS = ['new', 'changed', 'unchanged', 'removed'] as const;

/** What an import would do: how many cases are new and so on, columns that nobody knows, and the first cases. */
export function Preview({ preview }: { preview: Schemas['ImportPreview'] }) {
  const { t } = useTranslation('datasets');
  const format = useFormat();
  return (
    <Stack>
      <Group component="dl" gap="xl" m={0} role="group" aria-label={t('import.preview')}>
        {COUNTS.map((name) => (
          <div key={name} className={classes.count} data-some={preview[name] > 0 || undefined} data-loss={(name === 'removed' && preview.removed > 0) || undefined}>
            <dt>{t(`import.count.${name}`)}</dt>
            <dd>{format.number(preview[name])}</dd>
          </div>
        ))}
      </Group>
      {preview.unknown_columns.length > 0 && (
        <Caution title={t('import.unknown', { count: preview.unknown_columns.length })}>
          {t('import.unknownText', { count: preview.unknown_columns.length, columns: preview.unknown_columns.join(', ') })}
        </Caution>
      )}
      {preview.cases.length > 0 && <First cases={preview.cases} of={preview.given} />}
    </Stack>
  );
}

function First({ cases, of }: { cases: Schemas['Case-Output'][]; of: number }) {
  const { t } = useTranslation('datasets');
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        {t('import.first', { shown: cases.length, count: of })}
      </Text>
      <Table.ScrollContainer minWidth={480}>
        <Table verticalSpacing={6} highlightOnHover={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('case.title')}</Table.Th>
              <Table.Th>{t('case.prompt')}</Table.Th>
              <Table.Th>{t('cases.expected')}</Table.Th>
              <Table.Th>{t('case.assertions')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {cases.map((item) => (
              <Table.Tr key={item.key}>
                <Table.Td>
                  <Text size="sm" lineClamp={2}>{titleOf(item)}</Text>
                </Table.Td>
                <Table.Td>
                  <Text size="sm" lineClamp={2}>{inputText(item)}</Text>
                </Table.Td>
                <Table.Td>
                  <Text size="sm" lineClamp={2}>{item.expected_behavior ?? (item.expected_output === null ? '' : JSON.stringify(item.expected_output))}</Text>
                </Table.Td>
                <Table.Td>{item.assertions.length}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  );
}
