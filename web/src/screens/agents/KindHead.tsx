import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import { type Kind, useKindName } from '~/screens/agents/targets';
import { Help } from '~/ui/Help';
import { useKindWords } from '~/ui/kindWords';

/** What the chosen kind does, and the way back to the choice. */
export function KindHead({ kind }: { kind: Kind }) {
  const { t } = useTranslation('agents');
  const nameOf = useKindName();
  const words = useKindWords()('target', kind);
  const details = words.doc.split(/\n\s*\n/).slice(1);
  return (
    <Stack gap={6}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text fw={600}>{nameOf(kind.kind)}</Text>
          <Text size="sm">
            <Help text={words.title} />
          </Text>
        </div>
        <Button component={Link} to="/agents/new" variant="default" size="xs" flex="none">
          {t('kind.other')}
        </Button>
      </Group>
      {details.map((part) => (
        <Text key={part} size="sm" c="dimmed">
          <Help text={part} />
        </Text>
      ))}
    </Stack>
  );
}
