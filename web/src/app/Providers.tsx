import { localStorageColorSchemeManager, MantineProvider, mergeThemeOverrides, Notification } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { RouterProvider } from 'react-router';

import { makeRouter } from '~/app/router';
import { goToSignIn } from '~/app/signIn';
import { cssVariables, theme } from '~/app/theme';
import { makeQueryClient } from '~/api/queries';

const schemes = localStorageColorSchemeManager({ key: 'aloi.scheme' });

/** Everything that stands round the screens: looks, data, addresses. */
export function Providers() {
  const [router] = useState(makeRouter);
  const [queries] = useState(() => makeQueryClient(() => goToSignIn(router)));
  return (
    <MantineProvider theme={useSpokenTheme()} cssVariablesResolver={cssVariables} colorSchemeManager={schemes} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <Notifications position="bottom-right" />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** The theme, with names for the buttons that have none of their own. */
function useSpokenTheme() {
  const { t } = useTranslation('common');
  const close = t('close');
  return useMemo(() => mergeThemeOverrides(theme, { components: { Notification: Notification.extend({ defaultProps: { closeButtonProps: { 'aria-label': close } } }) } }), [close]);
}
