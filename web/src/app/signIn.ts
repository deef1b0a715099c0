import type { DataRouter } from 'react-router';

export const SIGN_IN = '/sign-in';

/** Leads to the sign-in page, which leads back here. Nothing happens where that page is shown already. */
export function goToSignIn(router: DataRouter): void {
  const { pathname, search, hash } = router.state.location;
  if (pathname === SIGN_IN) return;
  void router.navigate(`${SIGN_IN}?next=${encodeURIComponent(pathname + search + hash)}`, { replace: true });
}

/** Where to go after signing in: a path of this site, never another site's address. */
export function returnPath(next: string | null): string {
  if (!next?.startsWith('/') || /^\/[/\\]/.test(next) || next.startsWith(SIGN_IN)) return '/';
  return next;
}
