import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

import { answer, api, type Schemas } from '~/api/client';
import { keys } from '~/api/keys';

/** A file as a case names it. */
export type Attachment = Schemas['Attachment'];
/** A file of the workspace, with who refers to it. */
export type AttachmentEntry = Schemas['AttachmentEntry'];

/** What a browser offers when somebody chooses files; the server looks at what they hold. */
export const ACCEPT = '.png,.jpg,.jpeg,.gif,.webp,.pdf,.txt,.text,.log,.md,.markdown,.csv,.json';
export const MOST_FILES = 10;
export const MOST_BYTES = 10 * 1024 * 1024;
export const MOST_CASE_BYTES = 25 * 1024 * 1024;

interface Filters {
  q: string;
  unused: boolean;
  page: number;
  size: number;
}

/** A page of the workspace's files, the last that came first. */
export function useFiles(filters: Filters) {
  return useQuery({
    queryKey: keys.attachmentList({ ...filters }),
    queryFn: ({ signal }) => answer(api.GET('/api/eval/attachments', { params: { query: filters }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Where a file is read: shown by the browser where it can be, or saved. */
export function contentAddress({ hash, name }: Pick<Attachment, 'hash' | 'name'>, download = false): string {
  const query = new URLSearchParams({ name, ...(download ? { download: '1' } : {}) });
  return `/api/eval/attachments/${hash}/content?${query.toString()}`;
}

export function isImage({ media_type }: Pick<Attachment, 'media_type'>): boolean {
  return media_type.startsWith('image/');
}

/** A size in the reader's language: "812 bytes", "1.2 MB". */
export function useSize(): (bytes: number) => string {
  const { i18n } = useTranslation();
  return useMemo(() => {
    const show = (unit: string, unitDisplay: 'long' | 'short', digits = 0) => new Intl.NumberFormat(i18n.language, { style: 'unit', unit, unitDisplay, maximumFractionDigits: digits });
    const [byte, kilobyte, megabyte] = [show('byte', 'long'), show('kilobyte', 'short'), show('megabyte', 'short', 1)];
    return (bytes) => {
      if (bytes < 1000) return byte.format(bytes);
      return bytes < 1_000_000 ? kilobyte.format(Math.ceil(bytes / 1000)) : megabyte.format(bytes / 1_000_000);
    };
  }, [i18n.language]);
}

/** A name that no other file of the case has: `image (2).png` where there is an `image.png`. */
export function freeName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  const dot = name.lastIndexOf('.') > 0 ? name.lastIndexOf('.') : name.length;
  for (let number = 2; ; number += 1) {
    const next = `${name.slice(0, dot)} (${number})${name.slice(dot)}`;
    if (!taken.includes(next)) return next;
  }
}
