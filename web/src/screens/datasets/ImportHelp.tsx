import { Anchor, Button, Code, Group, Table, Text, Title } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

const COLUMNS = ['prompt', 'expected_behavior', 'assertions', 'expected_output', 'key', 'name', 'tags', 'enabled', 'status', 'input.FIELD', 'evaluators', 'criteria', 'simulations'] as const;

/** What a file of cases may look like, with one to begin from. */
export function ImportHelp() {
  const { t } = useTranslation('datasets');
  return (
    <section>
      <Title order={2}>{t('import.help.title')}</Title>
      <Text c="dimmed" maw="70ch">
        {t('import.help.text')}
      </Text>
      <Group my="sm">
        <ExampleButton />
        <Anchor component={Link} to="/help/cases" size="sm">
          {t('case.guide')}
        </Anchor>
      </Group>
      <Table verticalSpacing={6} highlightOnHover={false} aria-label={t('import.help.columns')}>
        <Table.Tbody>
          {COLUMNS.map((column) => (
            <Table.Tr key={column}>
              <Table.Th w={180} fw={500}>
                <Code>{column}</Code>
              </Table.Th>
              <Table.Td>{t(`import.help.column.${column.replace('.', '_') as 'prompt'}`)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

/** Saves a small CSV in the reader's language. The mark in front lets Excel read its accents. */
function ExampleButton() {
  const { t } = useTranslation('datasets');
  const save = () => {
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const rows = (['one', 'two'] as const).map((row) => (['key', 'prompt', 'behavior', 'assertions', 'tags'] as const).map((name) => cell(t(`import.example.${row}.${name}`))).join(','));
    const text = ['key,prompt,expected_behavior,assertions,tags', ...rows].join('\r\n');
    const address = URL.createObjectURL(new Blob(['\ufeff', text, '\r\n'], { type: 'text/csv;charset=utf-8' }));
    const link = Object.assign(document.createElement('a'), { href: address, download: t('import.example.file') });
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <Button variant="default" size="xs" leftSection={<IconDownload size={14} aria-hidden />} onClick={save}>
      {t('import.help.example')}
    </Button>
  );
}
