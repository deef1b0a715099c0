import { useTranslation } from 'react-i18next';

import { ApiError } from '~/api/errors';

const TITLES = {
  401: 'error.signedOut',
  403: 'error.notPermitted',
  404: 'error.notFound',
  409: 'error.conflict',
  412: 'error.stale',
  413: 'error.tooLarge',
  422: 'error.invalid',
  429: 'error.tooMany',
} as const;

/** A heading in the reader's language, and the server's own words on what is wrong. */
export function useErrorText(error: unknown): { title: string; detail: string } {
  const { t } = useTranslation('ui');
  if (!(error instanceof ApiError)) return { title: t('error.broken'), detail: error instanceof Error ? error.message : String(error) };
  if (error.status === 0) return { title: t('error.network'), detail: t('error.networkText') };
  const known = error.status in TITLES ? TITLES[error.status as keyof typeof TITLES] : 'error.failed';
  return { title: t(known), detail: error.detail };
}
