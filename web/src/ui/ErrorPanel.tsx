import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { useErrorText } from '~/ui/errorText';

interface Props {
  error: unknown;
  /** Offers to try again. */
  onRetry?: () => void;
}

/** Why something could not be shown or done, in the server's own words where there are any. */
export function ErrorPanel({ error, onRetry }: Props) {
  const { t } = useTranslation('common');
  const { title, detail } = useErrorText(error);
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title={title} role="alert">
      <Group justify="space-between" align="flex-end">
        <Text size="sm">{detail}</Text>
        {onRetry && (
          <Button variant="default" size="xs" onClick={onRetry}>
            {t('retry')}
          </Button>
        )}
      </Group>
    </Alert>
  );
}
