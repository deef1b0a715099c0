import { Group, Pagination, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

import type { ListParams } from '~/ui/listParams';

interface Props {
  params: ListParams;
  total: number;
  pages: number;
  /** Up to which number the server counts; a larger total stands for more than that. */
  mostCounted?: number;
  /** How many are on this page. */
  shown?: number;
}

/** How many there are in all, and the way to the other pages. */
export function Pages({ params, total, pages: counted, mostCounted = Infinity, shown = 0 }: Props) {
  const { t } = useTranslation('ui');
  const uncounted = total > mostCounted;
  // Behind the last page that was counted there is another for as long as pages are full.
  const pages = uncounted ? Math.max(counted, params.page + (shown >= params.size ? 1 : 0)) : counted;
  return (
    <Group justify="space-between" mt="md">
      <Text size="sm" c="dimmed" role="status">
        {uncounted ? t('table.moreThan', { number: mostCounted }) : t('table.total', { count: total })}
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
