import type { ComponentType } from 'react';

/** A screen that is fetched when somebody goes there: `lazy: lazyScreen(() => import('~/screens/…'))`. */
export function lazyScreen(load: () => Promise<{ default: ComponentType }>) {
  return async () => ({ Component: (await load()).default });
}
