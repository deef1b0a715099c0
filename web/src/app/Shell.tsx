import { Anchor, AppShell, Burger, Center, Group, Loader } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router';

import { useSession } from '~/api/session';
import { Brand } from '~/app/Brand';
import { Navigation } from '~/app/Navigation';
import { UserMenu } from '~/app/UserMenu';
import { NoticeBell } from '~/screens/schedules/notices/NoticeBell';
import { ErrorPanel } from '~/ui/ErrorPanel';

import classes from './Shell.module.css';

/** What stands round every screen of a signed-in user: the skip link, the header, the navigation. */
export function Shell() {
  const { t } = useTranslation('shell');
  const [open, menu] = useDisclosure(false);
  const session = useSession();
  const main = useFocusOnArrival();
  const fetching = useNavigation().state === 'loading';
  return (
    <>
      <a className={classes.skip} href="#main">
        {t('skip')}
      </a>
      <AppShell header={{ height: 56 }} navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !open } }} padding={{ base: 'md', sm: 'xl' }}>
        <AppShell.Header className={classes.header} withBorder={false}>
          <Group h="100%" px="md" justify="space-between" wrap="nowrap">
            <Group gap="xs" wrap="nowrap">
              <Burger opened={open} onClick={menu.toggle} hiddenFrom="sm" size="sm" color="var(--aloi-ink-text)" aria-label={open ? t('menu.close') : t('menu.open')} aria-expanded={open} />
              <Anchor component={Link} to="/" underline="never" className={classes.brand}>
                <Brand />
              </Anchor>
            </Group>
            {session.data && (
              <Group gap={4} wrap="nowrap">
                <NoticeBell />
                <UserMenu session={session.data} />
              </Group>
            )}
          </Group>
          {fetching && <div className={classes.fetching} role="presentation" />}
        </AppShell.Header>
        <AppShell.Navbar className={classes.navbar} withBorder={false} aria-label={t('navigation.label')}>
          <Navigation role={session.data?.role} onGo={menu.close} />
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1} ref={main} className={classes.main}>
          <div className={classes.page}>
            {session.isError && <ErrorPanel error={session.error} onRetry={() => void session.refetch()} />}
            {session.isPending && (
              <Center mih="40vh">
                <Loader />
              </Center>
            )}
            {session.data && <Outlet />}
          </div>
        </AppShell.Main>
      </AppShell>
      <ScrollRestoration />
    </>
  );
}

/** Moves the focus to the content when the screen changes, so that a screen reader starts reading there. */
function useFocusOnArrival() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current !== pathname) main.current?.focus({ preventScroll: true });
    last.current = pathname;
  }, [pathname]);
  return main;
}
