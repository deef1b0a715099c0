import { Group, Pagination, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { ListParams } from '~/ui/listParams';

/** How many there are in all, and the way to the other pages. */
export function Pages({ params, total, pages }: { params: ListParams; total: number; pages: number }) {
  const { t } = useTranslation('ui');
  return (
    <Group justify="space-between" mt="md">
      <Text size="sm" c="dimmed" role="status">
        {t('table.total', { count: total })}
      </Text>
      {pages > 1 && (
        <Pagination
          size="sm"
          total={pages}
          value={params.page}
          onChange={params.setPage}
          getControlProps={(control) => ({ 'aria-label': t(`table.${control}`) })}
          getItemProps={(page) => ({ 'aria-label': t('table.page', { page }) })}
        />
      )}
    </Group>
  );
}
