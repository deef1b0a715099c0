import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';

import { makeQueryClient } from '~/api/queries';
import { cssVariables, theme } from '~/app/theme';

/** Draws an element at an address, within all that stands round a screen. Returns the router too. */
export function draw(element: ReactNode, address = '/') {
  return drawRoutes(createMemoryRouter([{ path: '*', element }], { initialEntries: [address] }));
}

/** The same for routes of one's own, where the address has parameters. */
export function drawRoutes(router: ReturnType<typeof createMemoryRouter>) {
  const drawn = render(
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} env="test">
      <QueryClientProvider client={makeQueryClient(() => {})}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return { ...drawn, router };
}
