import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';

import { componentsQuery } from '~/screens/simulations/simulations';

interface Asked {
  id: string;
  kind: string;
  name: string;
}

/** Why a version of a target takes no files, in a sentence; null where it takes them, or nothing is known of it yet. */
export function useFileRefusal(target: Asked | null, version: number | null = null): string | null {
  const { t } = useTranslation('attachments');
  const parts = useQuery({ ...componentsQuery(target?.id ?? '', version), enabled: target !== null });
  if (!target || (parts.data?.refuses_attachments ?? null) === null) return null;
  if (target.kind === 'http') return t('refused.http', { name: target.name, placeholder: '{{attachments}}' });
  return t(target.kind === 'workflow' ? 'refused.workflow' : 'refused.other', { name: target.name });
}

/** Whether a person is asked in it: what waits for people by hand goes on without files. */
export function useAsksPeople(id: string, version: number | null): boolean {
  const parts = useQuery(componentsQuery(id, version));
  return parts.data?.tools.some(({ kind }) => kind === 'human') ?? false;
}
