import { Menu, SegmentedControl, Stack, Text, UnstyledButton, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import { IconChevronDown, IconLogout, IconUserCircle } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';

import { useSignOut, type Role } from '~/api/session';
import { SIGN_IN } from '~/app/signIn';
import { changeLanguage, LANGUAGES, type Language } from '~/i18n';

import classes from './UserMenu.module.css';

const SCHEMES: MantineColorScheme[] = ['auto', 'light', 'dark'];

interface Props {
  session: { name: string; role: Role; workspace: { name: string } };
}

/** Who is signed in, with language, appearance, and the way out. */
export function UserMenu({ session }: Props) {
  const { t } = useTranslation(['shell', 'common']);
  const navigate = useNavigate();
  const signOut = useSignOut(() => void navigate(SIGN_IN));
  return (
    <Menu position="bottom-end" width={280} shadow="md">
      <Menu.Target>
        <UnstyledButton className={classes.target} aria-label={t('menu.user', { name: session.name })}>
          <IconUserCircle size={22} stroke={1.5} aria-hidden />
          <span className={classes.name}>{session.name}</span>
          <IconChevronDown size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Stack gap={2} px="sm" py="xs">
          <Text fw={600} truncate>
            {session.name}
          </Text>
          <Text size="sm" c="dimmed">
            {t(`common:role.${session.role}`)} · {session.workspace.name}
          </Text>
        </Stack>
        <Menu.Divider />
        <Preferences />
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => signOut.mutate()}>
          {t('menu.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Language and appearance. Each language is named in its own words. */
export function Preferences() {
  const { t, i18n } = useTranslation('shell');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const id = useId();
  const languages = LANGUAGES.map((value) => ({ value, label: t(`language.${value}`) }));
  const schemes = SCHEMES.map((value) => ({ value, label: t(`scheme.${value}`) }));
  return (
    <Stack gap="xs" px="sm" py="xs">
      <Text size="sm" id={`${id}-language`}>
        {t('menu.language')}
      </Text>
      <SegmentedControl size="xs" aria-labelledby={`${id}-language`} data={languages} value={i18n.language} onChange={(value) => void changeLanguage(value as Language)} />
      <Text size="sm" id={`${id}-scheme`}>
        {t('menu.scheme')}
      </Text>
      <SegmentedControl size="xs" aria-labelledby={`${id}-scheme`} data={schemes} value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)} />
    </Stack>
  );
}
