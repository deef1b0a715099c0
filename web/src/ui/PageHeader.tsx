import { Anchor, Breadcrumbs, Group, Text, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';

import classes from './PageHeader.module.css';

interface Props {
  /** The heading, and the document's title. */
  title: string;
  /** The way here, outermost first, without this page. */
  crumbs?: { label: string; to: string }[];
  description?: ReactNode;
  /** What stands beside the heading, such as a status. */
  aside?: ReactNode;
  /** Buttons. */
  actions?: ReactNode;
}

/** The head of a page. */
export function PageHeader({ title, crumbs = [], description, aside, actions }: Props) {
  const { t } = useTranslation(['ui', 'common']);
  useDocumentTitle(title);
  return (
    <header className={classes.header}>
      {crumbs.length > 0 && (
        <nav aria-label={t('breadcrumbs')}>
          <Breadcrumbs className={classes.crumbs} separatorMargin={6}>
            {crumbs.map(({ label, to }) => (
              <Anchor key={to} component={Link} to={to} size="sm" lh={1.4} c="dimmed" truncate maw={260}>
                {label}
              </Anchor>
            ))}
          </Breadcrumbs>
        </nav>
      )}
      <Group justify="space-between" align="flex-start" gap="md">
        <div className={classes.heading}>
          <Group gap="sm">
            <Title order={1}>{title}</Title>
            {aside}
          </Group>
          {description && (
            <Text c="dimmed" mt={4} component="div">
              {description}
            </Text>
          )}
        </div>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
    </header>
  );
}

/** Names the tab. */
export function useDocumentTitle(title: string): void {
  const { t } = useTranslation('common');
  const product = t('product');
  useEffect(() => {
    document.title = `${title} · ${product}`;
  }, [title, product]);
}
