import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { Kind } from '~/screens/evaluators/kinds';
import { Help } from '~/ui/Help';
import { useKindWords } from '~/ui/kindWords';

interface Props {
  kind: Kind;
  /** Leads back to the choice. */
  onOther?: () => void;
}

/** Which kind a form is for, and what that does. */
export function KindHead({ kind, onOther }: Props) {
  const { t } = useTranslation('evaluators');
  const words = useKindWords()('evaluator', kind);
  const details = words.doc.split(/\n\s*\n/).slice(1);
  return (
    <Stack gap={6}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text fw={600}>{words.name}</Text>
          <Text size="sm"><Help text={words.title} /></Text>
        </div>
        {onOther && (
          <Button variant="default" size="xs" onClick={onOther} flex="none">
            {t('kind.other')}
          </Button>
        )}
      </Group>
      {details.map((part) => (
        <Text key={part} size="sm" c="dimmed">
          <Help text={part} />
        </Text>
      ))}
    </Stack>
  );
}
