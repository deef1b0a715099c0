import { createBrowserRouter, type RouteObject } from 'react-router';

import { Home } from '~/app/Home';
import { Shell } from '~/app/Shell';
import { screens } from '~/app/screens';
import { lazyScreen } from '~/app/lazyScreen';
import { NotFound, RouteFault } from '~/app/faults';

/** While the first screen is fetched, which takes a moment, nothing is shown. */
const Nothing = () => null;

/** The sign-in page stands alone; every other screen stands in the shell. */
export const routes: RouteObject[] = [
  { path: '/sign-in', HydrateFallback: Nothing, ErrorBoundary: RouteFault, lazy: lazyScreen(() => import('~/screens/sign-in/SignIn')) },
  {
    path: '/',
    Component: Shell,
    HydrateFallback: Nothing,
    ErrorBoundary: RouteFault,
    children: [{ ErrorBoundary: RouteFault, children: [{ index: true, Component: Home }, ...screens, { path: '*', Component: NotFound }] }],
  },
];

export const makeRouter = () => createBrowserRouter(routes);
