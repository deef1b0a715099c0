import { Alert, Table, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

import { ApiError } from '~/api/errors';
import { placeOf } from '~/screens/datasets/importing';
import { ErrorPanel } from '~/ui/ErrorPanel';

/** Why a file cannot be taken: each fault with its place. */
export function ImportFault({ error, file }: { error: Error; file: string }) {
  const { t } = useTranslation(['datasets', 'common']);
  if (!(error instanceof ApiError) || error.status !== 422 || error.errors.length === 0) return <ErrorPanel error={error} />;
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle aria-hidden />} title={t('import.faulty', { file })}>
      <Text size="sm" mb="xs">
        {t('import.faultyText')}
      </Text>
      <Table.ScrollContainer minWidth={320}>
        <Table highlightOnHover={false} verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('import.line')}</Table.Th>
              <Table.Th>{t('import.column')}</Table.Th>
              <Table.Th>{t('import.reason')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {error.errors.map(({ pointer, detail }) => {
              const place = placeOf(pointer);
              return (
                <Table.Tr key={pointer + detail}>
                  <Table.Td>{place?.line ?? ''}</Table.Td>
                  <Table.Td>{place ? (place.column ?? '') : pointer}</Table.Td>
                  <Table.Td>{detail}</Table.Td>
                </Table.Tr>
              );
            })}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Alert>
  );
}
