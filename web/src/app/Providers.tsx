import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
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
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} colorSchemeManager={schemes} defaultColorScheme="auto">
      <QueryClientProvider client={queries}>
        <Notifications position="bottom-right" />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}
