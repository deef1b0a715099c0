import { Badge, NavLink as Row, ScrollArea, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';

import { includes } from '~/api/session';
import { navigation, type NavigationItem } from '~/app/navigationItems';
import { useWaitingCount } from '~/screens/workflows/human/waiting';

import classes from './Navigation.module.css';

const GROUPS: NavigationItem['group'][] = ['evaluation', 'workspace'];

/** The list of places, by group. Only what exists, and what the role may see. */
export function Navigation({ role, onGo }: { role: string | undefined; onGo: () => void }) {
  const { t } = useTranslation('shell');
  const visible = navigation.filter((item) => !item.role || includes(role, item.role));
  const groups = GROUPS.map((group) => ({ group, items: visible.filter((item) => item.group === group) }));
  return (
    <ScrollArea p="sm" type="auto">
      {groups
        .filter(({ items }) => items.length > 0)
        .map(({ group, items }) => (
          <div key={group} className={classes.group}>
            <Text component="h2" className={classes.heading}>
              {t(`navigation.${group}`)}
            </Text>
            <ul className={classes.list}>
              {items.map((item) => (
                <li key={item.to}>
                  <Row component={NavLink} to={item.to} onClick={onGo} label={t(item.label)} leftSection={<item.icon size={18} stroke={1.6} aria-hidden />} rightSection={item.count && <WaitingCount />} className={classes.item} />
                </li>
              ))}
            </ul>
          </div>
        ))}
    </ScrollArea>
  );
}

/** How many steps wait for a person; nothing where none does. */
function WaitingCount() {
  const { t } = useTranslation('workflows');
  const count = useWaitingCount();
  if (count === 0) return null;
  return (
    <Badge size="sm" circle={count < 10} variant="filled" color="orange.9" aria-label={t('waiting.badge', { count })}>
      {count}
    </Badge>
  );
}
