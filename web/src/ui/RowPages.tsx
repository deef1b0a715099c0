import { Group, Pagination, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';

interface Props {
  /** Counted from 1. */
  page: number;
  onPage: (page: number) => void;
  total: number;
  /** Rows a page. */
  size: number;
}

/** The way through a list that is all here, but too long to be drawn at once. Nothing where one page holds it. */
export function RowPages({ page, onPage, total, size }: Props) {
  const { t } = useTranslation('ui');
  if (total <= size) return null;
  return (
    <Group justify="space-between" mt="xs">
      <Text size="sm" c="dimmed" role="status">
        {t('table.range', { first: (page - 1) * size + 1, last: Math.min(page * size, total), total })}
      </Text>
      <Pagination
        size="sm"
        total={Math.ceil(total / size)}
        value={page}
        onChange={onPage}
        getControlProps={(control) => ({ 'aria-label': t(`table.${control}`) })}
        getItemProps={(number) => ({ 'aria-label': t('table.page', { page: number }) })}
      />
    </Group>
  );
}
