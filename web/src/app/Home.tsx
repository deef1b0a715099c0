import { Navigate } from 'react-router';

import { NotFound } from '~/app/faults';
import { navigation } from '~/app/navigationItems';

/** The start: the first place of the navigation. */
export function Home() {
  const [first] = navigation;
  return first ? <Navigate to={first.to} replace /> : <NotFound />;
}
